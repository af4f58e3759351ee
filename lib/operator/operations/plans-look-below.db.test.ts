import { expect, it } from "vitest";
import { z } from "zod";
import type { PlannedAct } from "../../actions/actions";
import { OutcomeUnknownError } from "../../engine/steps/outcome-unknown-error";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { cancel, rerun, startAgain } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { makePlan } from "./make-plan";

const engine = anEngine();
const desk = () => aDesk(engine.db);
const reason = "because";
const input = z.object({ n: z.number() });
const plan = (act: PlannedAct, runId: string) => makePlan(desk(), act, { runIds: [runId] });

it.each([
  ["past_undoing", {}, "cancel" as const],
  ["owes_compensation", { compensate: () => undefined }, "cancel" as const],
  ["clean", {}, "leave" as const],
])("a cancel of a run whose child's child has charged a card is planned as %s", async (split, undo, onCancel) => {
  const of = (name: string, handler: Workflow["handler"]) =>
    defineWorkflow({ name: `${split}-${name}`, input }, handler);
  const paid = of("paid", async (ctx) => {
    await ctx.step("charge", () => "ch_1", undo);
    await ctx.sleep("nap", "1h");
  });
  const between = of("between", (ctx) => ctx.child("paid", paid, { n: 1 }, { onCancel }));
  const whole = of("whole", (ctx) => ctx.child("between", between, { n: 1 }));
  const runId = await engine.start(whole, { n: 1 });
  await engine.worker([whole, between, paid]);
  await until("the charge", async () => {
    const [row] = await engine.rows<{ count: number }>(
      "select count(*)::int from handrail.step join handrail.run on run.id = run_id where workflow = $1 and step.name = 'nap'",
      [paid.name],
    );
    return row?.count === 1;
  });
  expect((await plan({ act: "cancel", params: {} }, runId)).items[0]).toMatchObject({ included: true, split });
});

it.each([
  ["past_undoing", {}],
  ["owes_compensation", { compensate: () => undefined }],
] as const)(
  "a cancel after a child has ended is planned as %s by what the step that started it can undo",
  async (split, undo) => {
    const child = defineWorkflow({ name: `ended-${split}`, input }, (ctx) => ctx.step("charge", () => "ch_1"));
    const parent = defineWorkflow({ name: `after-${split}`, input }, async (ctx) => {
      await ctx.child("paid", child, { n: 1 }, undo);
      await ctx.sleep("nap", "1h");
    });
    const runId = await engine.start(parent, { n: 1 });
    await engine.worker([parent, child]);
    await engine.untilRun(runId, ({ run }) => run.waiting_step === "nap");
    expect((await plan({ act: "cancel", params: {} }, runId)).items[0]).toMatchObject({ included: true, split });
  },
);

it("a failed child that has charged a card is not forgotten by the plan of a cancel", async () => {
  const child = defineWorkflow({ name: "failed-after-charge", input, retry: { maxAttempts: 1 } }, async (ctx) => {
    await ctx.step("charge", () => "ch_1");
    await ctx.step("pack", () => Promise.reject(new Error("nothing in stock")));
  });
  const parent = defineWorkflow({ name: "after-a-failure", input }, async (ctx) => {
    await ctx.child("paid", child, { n: 1 }).catch(() => undefined);
    await ctx.sleep("nap", "1h");
  });
  const runId = await engine.start(parent, { n: 1 });
  await engine.worker([parent, child]);
  await engine.untilRun(runId, ({ run }) => run.waiting_step === "nap");
  const [item] = (await plan({ act: "cancel", params: {} }, runId)).items;
  expect(item).toMatchObject({ included: true, split: "past_undoing" });
});

it.each([
  ["unknown", { effect: "once" }],
  ["waiting", { retry: { initialDelayMs: 600_000, jitter: 0 } }],
] as const)(
  "a run whose child has a step that may have happened, and is %s, is neither started again nor rerun with fresh keys; with the same keys it is",
  async (status, options) => {
    const child = defineWorkflow({ name: `child-${status}`, input }, (ctx) =>
      ctx.step("charge", () => Promise.reject(new OutcomeUnknownError("the answer was lost")), options),
    );
    const parent = defineWorkflow({ name: `parent-${status}`, input }, (ctx) =>
      ctx.child("paid", child, { n: 1 }, { onCancel: "leave" }),
    );
    const runId = await engine.start(parent, { n: 1 });
    await engine.worker([parent, child]);
    await until("the child's doubt", async () => {
      const [row] = await engine.rows<{ status: string }>(
        "select step.status from handrail.step join handrail.run on run.id = run_id where workflow = $1",
        [child.name],
      );
      return row?.status === status;
    });
    await cancel(desk(), { runId, reason });
    const because = expect.stringContaining("one of its child runs");
    const fresh = { fromStep: "paid", freshKeys: true };
    for (const act of [{ act: "start_again", params: {} } as const, { act: "rerun", params: fresh } as const])
      expect((await plan(act, runId)).items[0]).toMatchObject({ included: false, because });
    await expect(rerun(desk(), { runId, ...fresh, reason })).rejects.toMatchObject({ message: because });
    await expect(startAgain(desk(), { runId, reason })).rejects.toMatchObject({ message: because });
    const again = await plan({ act: "rerun", params: { fromStep: "paid" } }, runId);
    expect(again.items[0]).toMatchObject({ included: true });
  },
);
