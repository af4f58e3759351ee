import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import type { PlannedAct } from "../../actions/actions";
import { OutcomeUnknownError } from "../../engine/steps/outcome-unknown-error";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { cancel, rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { executePlan } from "../operations/execute-plan";
import { makePlan } from "../operations/make-plan";
import { readRun } from "../runs/reads";

const engine = anEngine();
const desk = () => aDesk(engine.db);
const reason = "the customer wants it after all";

/**
 * A run that a cancel interrupted in the body of one branch; `keys` has the keys of that body's calls, `others` the
 * other bodies.
 */
async function cutOff(name: string, effect: "idempotent" | "once") {
  const keys: string[] = [];
  const others: string[] = [];
  const begun = gate();
  const workflow = defineWorkflow({ name, input: z.unknown() }, async (ctx) => {
    await ctx.step("order", () => void others.push("order"), { effect: "pure" });
    const charge = ctx.step(
      "charge",
      async ({ idempotencyKey, signal }) => {
        keys.push(idempotencyKey);
        if (keys.length > 1) return;
        begun.open();
        await delay(60_000, undefined, { signal });
      },
      { effect },
    );
    await Promise.all([charge, ctx.step("pack", () => void others.push("pack"), { effect: "pure" })]);
  });
  const runId = await engine.start(workflow);
  await engine.worker([workflow], { leaseMs: 800 });
  await begun.opened;
  await engine.untilRun(runId, ({ steps }) =>
    steps.some((step) => step.name === "pack" && step.status === "completed"),
  );
  await cancel(desk(), { runId, reason: "by mistake" });
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "cancelled", attention: "outcome_unknown" });
  return { workflow, runId, keys, others };
}

const plan = (act: PlannedAct, ...runIds: string[]) => makePlan(desk(), act, { runIds });

it("a step that a cancel cut off is called again with the same key, without being resolved, as planned; parallel steps stay", async () => {
  const { workflow, runId, keys, others } = await cutOff("cut-off", "idempotent");
  const { id, hash, items } = await plan({ act: "rerun", params: {} }, runId);
  expect(items[0]).toMatchObject({
    included: true,
    again: { first: ["charge"] },
    keeps: { first: ["order", "pack"] },
    repeats: { first: [{ step: "charge", key: keys[0] }] },
  });
  const { body } = await executePlan(desk(), codeHere([workflow]), { planId: id, hash, reason });
  expect(body.item).toMatchObject({ outcome: "done" });

  const { run } = await engine.untilEnded(runId);
  expect(run).toMatchObject({ status: "completed", attention: null });
  expect([keys.length, new Set(keys).size, others]).toEqual([2, 1, ["order", "pack"]]);
  const { steps, audit } = await readRun(engine.db, runId);
  const charges = steps.filter(({ name }) => name === "charge");
  expect(charges.map(({ status, supersededBy }) => [status, supersededBy]).sort()).toEqual([
    ["completed", null],
    ["unknown", 2],
  ]);
  expect(audit.find(({ act }) => act === "rerun")).toMatchObject({ result: "done", reason });
});

it("from a step behind it, too, what was cut off runs again", async () => {
  const { runId, keys } = await cutOff("cut-off-before", "idempotent");
  const params = { fromStep: "pack" };
  const { items } = await plan({ act: "rerun", params }, runId);
  expect(items[0]?.again.first).toEqual(["charge", "pack"]);
  await rerun(desk(), { runId, ...params, reason });
  expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

it("with a fresh key, or where no key protects a repetition, it has to be resolved first", async () => {
  const keyed = await cutOff("cut-off-fresh", "idempotent");
  const once = await cutOff("cut-off-once", "once");
  const refused = async (params: { freshKeys?: boolean }, runId: string, because: string) => {
    const message = expect.stringContaining(because);
    expect((await plan({ act: "rerun", params }, runId)).items[0]).toMatchObject({ included: false, because: message });
    await expect(rerun(desk(), { runId, ...params, reason })).rejects.toMatchObject({ code: "not_allowed", message });
  };
  await refused({ freshKeys: true }, keyed.runId, "fresh key it could happen twice");
  await refused({}, once.runId, "Resolve it first");
  const both = await plan({ act: "rerun", params: {} }, keyed.runId, once.runId);
  expect(both.items.filter(({ included }) => included).map(({ runId }) => runId)).toEqual([keyed.runId]);
  expect([keyed.keys.length, once.keys.length]).toEqual([1, 1]);
});

it("while a step waits for its retry after an attempt that may have happened, a rerun keeps its key, and its plan names the repetition", async () => {
  const keys: string[] = [];
  const workflow = defineWorkflow({ name: "waits-in-doubt", input: z.unknown() }, (ctx) =>
    ctx.step(
      "charge",
      ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (keys.length === 1) throw new OutcomeUnknownError("the answer was lost");
      },
      { retry: { initialDelayMs: 600_000, jitter: 0 } },
    ),
  );
  const runId = await engine.start(workflow);
  await engine.worker([workflow]);
  const inDoubt = async () => (await readRun(engine.db, runId)).steps.filter((step) => step.inDoubt);
  await until("the charge waits", async () => (await inDoubt()).length === 1);

  const fresh = { fromStep: "charge", freshKeys: true };
  const because = expect.stringContaining("fresh key it could happen twice");
  expect((await plan({ act: "rerun", params: fresh }, runId)).items[0]).toMatchObject({ included: false, because });
  await expect(rerun(desk(), { runId, ...fresh, reason })).rejects.toMatchObject({ message: because });

  const params = { fromStep: "charge" };
  expect((await plan({ act: "rerun", params }, runId)).items[0]).toMatchObject({
    included: true,
    repeats: { first: [{ step: "charge", key: keys[0] }] },
  });
  await rerun(desk(), { runId, ...params, reason });
  expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  expect(await inDoubt()).toEqual([]);
});
