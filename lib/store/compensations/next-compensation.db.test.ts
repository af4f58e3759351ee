import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { record } from "../steps/record";
import { failAndCompensate } from "./fail-and-compensate";
import {
  beginCompensation,
  keepCompensation,
  type OpenCompensation,
  openCompensations,
  releaseCompensations,
} from "./next-compensation";

const engine = anEngine();
const error = '{"name":"Error","message":"no"}';
type Mode = "automatic" | "manual" | null;

const workflowOf = (name: string) => defineWorkflow({ name, input: z.object({}) }, async () => undefined);

/** A run that failed after steps with these compensations, in this order of completion. */
async function failed(name: string, modes: Record<string, Mode>) {
  const workflow = workflowOf(name);
  const runId = await engine.start(workflow);
  const claim = await claimOne(engine.db, workflow);
  for (const [index, [step, compensationMode]] of Object.entries(modes).entries())
    await record(engine.db, [
      aRecord(claim, {
        step: aStepRecord({
          name: step,
          output: `"${step}"`,
          position: index + 1,
          finishedPosition: index + 1,
          compensationMode,
        }),
      }),
    ]);
  const failure = { runId, epoch: claim.epoch, error, failedStep: null };
  return { workflow, runId, claim, failure };
}

/** The same, failed and claimed by the worker that is to compensate it. */
async function compensating(name: string, modes: Record<string, Mode>) {
  const { workflow, runId, failure } = await failed(name, modes);
  await failAndCompensate(engine.db, failure);
  const { epoch, workerId } = await claimOne(engine.db, workflow);
  const begin = () => beginCompensation(engine.db, runId, epoch, workerId);
  return { workflow, runId, epoch, workerId, begin };
}

describe("a failure with compensation", () => {
  it("makes a compensation pending for every completed step that declares one, and makes the run due", async () => {
    const { runId, failure } = await failed("owes", { a: "automatic", b: null, c: "manual" });
    expect(await failAndCompensate(engine.db, failure)).toBe(true);
    const { run, compensations } = await engine.historyOf(runId);
    // The last compensation is manual: nothing is due before an operator has acted.
    expect(run).toMatchObject({
      status: "compensating",
      attention: "compensation_owed",
      waiting_kind: "operator",
      due_at: null,
    });
    expect(compensations).toMatchObject([
      { step: "c", mode: "manual", status: "owed" },
      { step: "a", mode: "automatic", status: "owed" },
    ]);
  });

  it("sent twice takes effect once", async () => {
    const { runId, failure } = await failed("twice", { a: "automatic" });
    expect(await failAndCompensate(engine.db, failure)).toBe(true);
    const before = await engine.historyOf(runId);
    expect(await failAndCompensate(engine.db, failure)).toBe(false);
    expect(await engine.historyOf(runId)).toEqual(before);
  });
});

describe("the next compensation", () => {
  it("is of the last completed step, with its attempt on record before its body", async () => {
    const { runId, workerId, begin } = await compensating("next", { a: "automatic", b: "automatic" });
    expect(await openCompensations(engine.db, runId)).toHaveLength(2);
    expect(await begin()).toEqual({
      step: "b",
      generation: 1,
      keyGeneration: 1,
      attempt: 1,
      failures: 0,
      output: '"b"',
      wasLost: false,
    });
    expect((await engine.historyOf(runId)).compensations[0]).toMatchObject({
      status: "running",
      attempt: 1,
      worker_id: `${workerId}`,
    });
  });

  it("is none for the worker while a manual one comes first, which the run then waits for", async () => {
    const { runId, epoch, begin } = await compensating("person", { a: "manual", b: "automatic" });
    const current = (await begin()) as OpenCompensation;
    expect(await keepCompensation(engine.db, runId, epoch, current, { to: "completed" })).toBe("kept");
    expect(await begin()).toBe("none");
    expect((await engine.historyOf(runId)).run).toMatchObject({
      status: "compensating",
      worker_id: null,
      attention: "compensation_owed",
      waiting_step: "a",
    });
    expect(await begin()).toBe("lost");
  });

  it("is none when all have ended: the run is compensated, its error stays", async () => {
    const { runId, epoch, begin } = await compensating("all", { a: "automatic" });
    await keepCompensation(engine.db, runId, epoch, (await begin()) as OpenCompensation, { to: "completed" });
    expect(await begin()).toBe("none");
    expect((await engine.historyOf(runId)).run).toMatchObject({
      status: "compensated",
      attention: null,
      error: { message: "no" },
    });
  });

  it("is none while it waits for its retry", async () => {
    const { workflow, runId, epoch, begin } = await compensating("retry", { a: "automatic", b: "automatic" });
    await keepCompensation(engine.db, runId, epoch, (await begin()) as OpenCompensation, {
      to: "owed",
      error,
      delayMs: 60_000,
    });
    expect(await begin()).toBe("none");
    const { run, compensations } = await engine.historyOf(runId);
    expect(run).toMatchObject({ waiting_kind: "retry", waiting_step: "b", attention: null });
    expect(run.due_at).toEqual(compensations[0]?.next_attempt_at);
    expect(compensations[0]).toMatchObject({ status: "owed", failures: 1 });
    await engine.rows("update handrail.run set due_at = now() where id = $1", [runId]);
    await engine.rows("update handrail.compensation set next_attempt_at = now() where run_id = $1 and step = 'b'", [
      runId,
    ]);
    const again = await claimOne(engine.db, workflow);
    expect(await beginCompensation(engine.db, runId, again.epoch, again.workerId)).toMatchObject({
      step: "b",
      attempt: 2,
      failures: 1,
    });
    await releaseCompensations(engine.db, runId, again.epoch);
  });
});

describe("the record of a compensation", () => {
  it("is kept when it is sent again, also with another outcome", async () => {
    const { runId, epoch, begin } = await compensating("unchanged", { a: "automatic" });
    const current = (await begin()) as OpenCompensation;
    expect(await keepCompensation(engine.db, runId, epoch, current, { to: "completed" })).toBe("kept");
    expect(await keepCompensation(engine.db, runId, epoch, current, { to: "completed" })).toBe("unchanged");
    expect(await keepCompensation(engine.db, runId, epoch, current, { to: "failed", error })).toBe("unchanged");
    expect((await engine.historyOf(runId)).compensations).toMatchObject([
      { status: "completed", error: null, by: "worker" },
    ]);
  });

  it("of an attempt that outlived its timeout changes nothing of the next one", async () => {
    const { runId, epoch, begin } = await compensating("late", { a: "automatic" });
    const first = (await begin()) as OpenCompensation;
    await keepCompensation(engine.db, runId, epoch, first, { to: "owed", error, delayMs: 0 });
    expect(await begin()).toMatchObject({ step: "a", attempt: 2 });
    expect(await keepCompensation(engine.db, runId, epoch, first, { to: "completed" })).toBe("unchanged");
    expect((await engine.historyOf(runId)).compensations).toMatchObject([{ status: "running", attempt: 2 }]);
  });

  it("is refused to a worker that has lost the run", async () => {
    const { runId, epoch, begin } = await compensating("lost", { a: "automatic" });
    const current = (await begin()) as OpenCompensation;
    await releaseCompensations(engine.db, runId, epoch);
    expect(await keepCompensation(engine.db, runId, epoch, current, { to: "completed" })).toBe("lost");
    expect((await engine.historyOf(runId)).compensations).toMatchObject([{ status: "running" }]);
  });

  it("rolls back together with the app's writes", async () => {
    const { runId, epoch, begin } = await compensating("rolls-back", { a: "automatic" });
    const current = (await begin()) as OpenCompensation;
    const failing = engine.db.transaction(async (tx) => {
      await keepCompensation(tx, runId, epoch, current, { to: "completed" });
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    expect((await engine.historyOf(runId)).compensations).toMatchObject([{ status: "running" }]);
  });
});

it("a compensating run that is handed back is due for any worker", async () => {
  const { workflow, runId, epoch } = await compensating("handed-back", { a: "automatic" });
  await releaseCompensations(engine.db, runId, epoch);
  expect((await engine.historyOf(runId)).run).toMatchObject({ status: "compensating", worker_id: null });
  expect((await claimOne(engine.db, workflow)).status).toBe("compensating");
});
