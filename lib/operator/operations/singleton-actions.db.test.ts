import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { PlannedAct } from "../../actions/actions";
import { prepareStart } from "../../engine/runs/start";
import { defineSchedule } from "../../engine/schedules/schedule";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { insertRunOnce } from "../../store/runs/start-run";
import { syncSchedules } from "../../store/schedules/sync-schedules";
import { registerWorkflows } from "../../store/workers/workers";
import { cancel, rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { readRun } from "../runs/reads";
import { backfill, fireNow } from "../schedules/schedules";
import { carryOutNext } from "./carry-out-item";
import { executePlan } from "./execute-plan";
import { makePlan } from "./make-plan";
import { readOperation } from "./operation-view";

const engine = anEngine();
const reason = "the bank is back";
const desk = () => aDesk(engine.db);

/** Books, which can be compensated, and fails at its charge if its input says so. A live one sleeps. */
const booking = (name: string, onConflict?: "existing") =>
  defineWorkflow(
    {
      name,
      input: z.object({ customer: z.string(), declined: z.boolean().default(false) }),
      singleton: { key: ({ customer }) => customer, ...(onConflict && { onConflict }) },
      retry: { maxAttempts: 1 },
    },
    async (ctx, { declined }) => {
      await ctx.step("book", () => "booked", { compensate: () => undefined });
      await ctx.step("charge", () => {
        if (declined) throw new Error("The card was declined.");
      });
      await ctx.sleep("long", "1h");
    },
  );

const startOf = async (workflow: Workflow, customer: string, declined = false) =>
  (await insertRunOnce(engine.db, await prepareStart(workflow, { customer, declined }))).id;

/** An ended run, and a live one of its key. */
async function twoOf(workflow: Workflow) {
  await engine.worker([workflow]);
  const failed = await startOf(workflow, "a", true);
  await engine.untilEnded(failed);
  const live = await startOf(workflow, "a");
  await engine.untilResting(live);
  return { failed, live };
}

const REOPENING: PlannedAct[] = [
  { act: "rerun", params: {} },
  { act: "rerun", params: { fromStep: "book" } },
  { act: "compensate", params: {} },
  { act: "settle", params: { outcome: "skip", step: "charge" } },
  { act: "start_again", params: {} },
];

describe("while another run of its singleton key lives", () => {
  it("an ended one's plan leaves it out with the live run's id, as its page and the execution do", async () => {
    const workflow = booking("planned-beside");
    const { failed, live } = await twoOf(workflow);
    const because = `Another run with the same singleton key has not ended: ${live}. Wait for its end, or cancel it first.`;
    for (const act of REOPENING) {
      const { items, id, hash } = await makePlan(desk(), act, { runIds: [failed] });
      expect([act, items[0]?.included, items[0]?.because]).toEqual([act, false, because]);
      const nothing = executePlan(desk(), codeHere([workflow]), { planId: id, hash, reason });
      await expect(nothing).rejects.toMatchObject({ code: "not_allowed" });
    }
    const { acts, singleton, primaryAct } = await readRun(engine.db, failed);
    expect([singleton, primaryAct]).toEqual([{ key: "a", heldBy: live }, null]);
    for (const act of ["rerun", "compensate", "settle"])
      expect(acts.find((one) => one.act === act)).toEqual({ act, open: false, because });
    // Its input can be edited to one of another key.
    expect(acts.find(({ act }) => act === "start_again")?.open).toBe(true);
    expect((await readRun(engine.db, live)).singleton).toEqual({ key: "a", heldBy: null });
  });

  it("a plan from before its start finds out at execution, and changes nothing", async () => {
    const workflow = booking("planned-before");
    await engine.worker([workflow]);
    const failed = await startOf(workflow, "a", true);
    await engine.untilEnded(failed);
    const plans = await Promise.all(REOPENING.map((act) => makePlan(desk(), act, { runIds: [failed] })));
    const live = await startOf(workflow, "a");
    for (const { id, hash } of plans) {
      const { body } = await executePlan(desk(), codeHere([workflow]), { planId: id, hash, reason });
      expect(body.item).toMatchObject({ outcome: "not_eligible", because: expect.stringContaining(live) });
    }
    const run = await readRun(engine.db, failed);
    expect([run.status, run.generation, run.startedAs]).toEqual(["failed", 1, []]);
  });

  it("a new run in its place is refused, also where starts join the live one; with another key it begins", async () => {
    const workflow = booking("again-beside", "existing");
    const { failed, live } = await twoOf(workflow);
    const again = async (customer: string) => {
      const input = { customer, declined: false };
      const { id, hash } = await makePlan(desk(), { act: "start_again", params: { input } }, { runIds: [failed] });
      return executePlan(desk(), codeHere([workflow]), { planId: id, hash, reason });
    };
    expect((await again("a")).body.item).toMatchObject({ outcome: "failed", because: expect.stringContaining(live) });
    expect((await again("b")).body.item).toMatchObject({ outcome: "done" });
  });

  it("of many that ended the first is reopened, and the others are left with its id", async () => {
    const workflow = booking("many-ended");
    const worker = await engine.worker([workflow]);
    const ended: string[] = [];
    for (let n = 0; n < 3; n++) {
      ended.push(await startOf(workflow, "a", true));
      await engine.untilEnded(ended[n] as string);
    }
    // A rerun that a worker takes up fails again, and its key is free for the next one.
    await worker.stop();
    const { id, hash, items } = await makePlan(desk(), { act: "rerun", params: {} }, { runIds: ended });
    expect(items.map(({ included }) => included)).toEqual([true, true, true]);
    const code = codeHere([workflow]);
    const { body } = await executePlan(desk(), code, { planId: id, hash, reason, ratePerSecond: 1_000, canary: 0 });
    while ((await carryOutNext({ ...desk(), code }, body.id)).next !== "end");
    expect((await readOperation(engine.db, body.id)).counts).toMatchObject({ done: 1, notEligible: 2 });
  });
});

it("a rerun and a start at one instant: one of them gets the key, and the other one is refused", async () => {
  const workflow = booking("at-one-instant");
  await engine.worker([workflow]);
  for (let round = 0; round < 5; round++) {
    const customer = `c${round}`;
    const failed = await startOf(workflow, customer, true);
    await engine.untilEnded(failed);
    const results = await Promise.allSettled([rerun(desk(), { runId: failed, reason }), startOf(workflow, customer)]);
    const refused = results.filter((result) => result.status === "rejected");
    // A rerun ends at once, for its card is declined again: then the start follows it.
    expect(refused.length).toBeLessThanOrEqual(1);
    for (const { reason: error } of refused) expect(["not_allowed", "singleton_conflict"]).toContain(error.code);
  }
  expect(
    await engine.rows(
      `select from handrail.run where workflow = $1 and finished_at is null group by singleton_key having count(*) > 1`,
      [workflow.name],
    ),
  ).toEqual([]);
});

it("a schedule's run of now is refused with the live run's id, and a backfill skips times beyond the first", async () => {
  const workflow = booking("by-schedule");
  await registerWorkflows(engine.db, [workflow]);
  const schedule = defineSchedule({ name: "nightly-one", workflow, everyMs: 3_600_000, input: { customer: "a" } });
  await syncSchedules(engine.db, [schedule]);
  const code = codeHere([workflow]);
  const { runIds } = await backfill(desk(), code, {
    ...{ name: schedule.name, reason },
    ...{ from: new Date(Date.now() - 4 * 3_600_000).toISOString(), to: new Date().toISOString() },
  });
  expect(runIds).toHaveLength(1);
  const [live] = runIds as [string];
  const now = () => fireNow(desk(), code, { name: schedule.name, reason });
  await expect(now()).rejects.toMatchObject({ code: "singleton_conflict", details: { runId: live } });
  await cancel(desk(), { runId: live, reason });
  await until("The end", async () => (await readRun(engine.db, live)).finishedAt !== null);
  expect((await now()).runIds).toHaveLength(1);
});
