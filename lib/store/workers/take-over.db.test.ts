import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { cancel, compensate, markCompensated } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { anAttempt, aRecord, aRegisteredWorker, aStepRecord, claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { failAndCompensate } from "../compensations/fail-and-compensate";
import { beginCompensation } from "../compensations/next-compensation";
import { insertManyRuns } from "../runs/start-run";
import { record } from "../steps/record";
import type { StepRecord } from "./claim-record";
import { MAX_LOST_CLAIMS } from "./suspects";
import { takeOverLostRuns } from "./take-over";

const engine = anEngine();
const reason = "it is time";

const workflowOf = (name: string) => defineWorkflow({ name, input: z.object({}) }, async () => undefined);

type Given = Partial<StepRecord>;

/** A run whose worker died, with these steps on record. */
async function died(
  name: string,
  steps: Given[] = [],
): Promise<{ runId: string; workflow: ReturnType<typeof workflowOf> }> {
  const workflow = workflowOf(name);
  const runId = await engine.start(workflow);
  const claim = await claimOne(engine.db, workflow);
  const records = steps.map((step, index) =>
    aRecord(claim, {
      step: aStepRecord({
        position: index + 1,
        finishedPosition: step.status ? null : index + 1,
        workerId: claim.workerId,
        ...step,
      }),
      ...(step.status === "waiting" && { attempt: anAttempt({ step: step.name as string }) }),
    }),
  );
  if (records.length > 0) await record(engine.db, records);
  await lose();
  return { runId, workflow };
}

async function lose(): Promise<void> {
  await engine.endLeases();
  await takeOverLostRuns(engine.db);
  // A run that was lost more than once comes back after a pause; this test does not wait for it.
  await engine.rows("update handrail.run set due_at = clock_timestamp() where due_at is not null");
}

/** Claimed and lost until it is excluded from claims. */
async function poison(workflow: ReturnType<typeof workflowOf>): Promise<void> {
  for (let lost = 1; lost < MAX_LOST_CLAIMS; lost++) {
    await claimOne(engine.db, workflow);
    await lose();
  }
}

const RUNNING: Given[] = [
  { name: "charge", status: "running" },
  { name: "mail", effect: "once", status: "running" },
  { name: "read", effect: "pure", status: "running" },
  { name: "write", kind: "transaction", status: "running" },
];

const stateOf = ({ steps }: Awaited<ReturnType<typeof engine.historyOf>>) =>
  Object.fromEntries(steps.map(({ name, status }) => [name, status]));

describe("two simultaneous sweeps", () => {
  it("free each run once", async () => {
    const workflow = workflowOf("sweep-twice");
    const ids = await insertManyRuns(
      engine.db,
      Array.from({ length: 120 }, () => ({
        workflow: workflow.name,
        version: 1,
        input: "{}",
        tags: {},
        runTitle: null,
        idempotencyKey: null,
        runAt: null,
        delayMs: null,
        queueKey: null,
        debounce: null,
        priority: 0,
      })),
    );
    const owner = await aRegisteredWorker(engine.db);
    for (let index = 0; index < ids.length; index++) await claimOne(engine.db, workflow, owner);
    await engine.endLeases();
    const freed = (await Promise.all(Array.from({ length: 4 }, () => takeOverLostRuns(engine.db)))).flat();
    expect(freed.sort()).toEqual([...ids].sort());
    const [row] = await engine.rows("select min(epoch)::int, max(epoch)::int from handrail.run where workflow = $1", [
      workflow.name,
    ]);
    expect(row).toEqual({ min: 2, max: 2 });
  });

  it("skip a locked run, and return for it", async () => {
    const workflow = workflowOf("sweep-held");
    const held = await engine.start(workflow);
    await claimOne(engine.db, workflow);
    await engine.endLeases();
    await engine.db.transaction(async (tx) => {
      await tx.query({ name: "", text: "select from handrail.run where id = $1 for update" }, [held]);
      expect(await takeOverLostRuns(engine.db)).toEqual([]);
    });
    expect(await takeOverLostRuns(engine.db)).toEqual([held]);
  });
});

describe("a run whose workers die", () => {
  it("repeatedly, but which makes progress, stays claimable", async () => {
    const { runId, workflow } = await died("gets-on");
    for (let index = 1; index <= MAX_LOST_CLAIMS + 1; index++) {
      const claim = await claimOne(engine.db, workflow);
      const step = aStepRecord({ name: `step-${index}`, position: index, finishedPosition: index });
      await record(engine.db, [aRecord(claim, { step })]);
      await lose();
    }
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "pending", lost_claims: 1 });
  });

  it("without progress is no longer claimable; steps that may have had an effect are in doubt", async () => {
    const { runId, workflow } = await died("poison-running", RUNNING);
    await poison(workflow);
    const history = await engine.historyOf(runId);
    expect(history.run).toMatchObject({
      status: "failed",
      attention: "outcome_unknown",
      error: { code: "poisonous_run" },
    });
    expect(stateOf(history)).toEqual({ charge: "unknown", mail: "unknown", read: "waiting", write: "waiting" });
    expect(history.attempts).toMatchObject([
      { step: "read", number: 1, status: "interrupted" },
      { step: "write", number: 1, status: "interrupted" },
    ]);
  });

  it("and which is cancelled before the next claim reports the steps in doubt, too", async () => {
    const { runId } = await died("cancel-after-loss", RUNNING);
    await cancel(aDesk(engine.db), { runId, reason });
    const history = await engine.historyOf(runId);
    expect(history.run).toMatchObject({ status: "cancelled", attention: "outcome_unknown" });
    expect(stateOf(history)).toEqual({ charge: "unknown", mail: "unknown", read: "waiting", write: "waiting" });
  });

  it.each([
    ["poisonous", "failed", "failed"],
    ["cancelled", "cancelled", null],
  ] as const)(
    "and which is %s reports a step that waited for its retry after a lost answer, and no other that waits",
    async (how, status, otherwise) => {
      const end = async (name: string, waiting: Given) => {
        const { runId, workflow } = await died(`${name}-${how}`, [waiting]);
        if (how === "poisonous") await poison(workflow);
        else await cancel(aDesk(engine.db), { runId, reason });
        return engine.historyOf(runId);
      };
      const lost = await end("lost-answer", { name: "charge", status: "waiting", doubt: '{"name":"Lost"}' });
      expect(lost.run).toMatchObject({ status, attention: "outcome_unknown" });
      expect(lost.steps).toMatchObject([{ status: "unknown", error: { name: "Lost" }, next_attempt_at: null }]);
      expect(lost.attempts).toHaveLength(1);
      const sure = await end("sure-answer", { name: "charge", status: "waiting", error: '{"name":"No"}' });
      expect(sure.run).toMatchObject({ status, attention: otherwise });
      expect(sure.steps).toMatchObject([{ status: "waiting", error: { name: "No" } }]);
    },
  );

  it("without a step in doubt needs no attention once it is cancelled", async () => {
    const { runId } = await died("cancel-sure", RUNNING.slice(2));
    await cancel(aDesk(engine.db), { runId, reason });
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "cancelled", attention: null });
  });
});

describe("a run whose workers die while they compensate it", () => {
  /** Two open compensations; the worker that begins the first dies during it. */
  async function diedUndoing(name: string) {
    const workflow = workflowOf(name);
    const runId = await engine.start(workflow);
    const claim = await claimOne(engine.db, workflow);
    for (const [index, step] of ["a", "b"].entries())
      await record(engine.db, [
        aRecord(claim, {
          step: aStepRecord({
            name: step,
            position: index + 1,
            finishedPosition: index + 1,
            compensationMode: "automatic",
          }),
        }),
      ]);
    const error = '{"name":"Error","message":"no way on"}';
    await failAndCompensate(engine.db, { runId, epoch: claim.epoch, error, failedStep: null });
    return { workflow, runId };
  }

  async function dieUndoing(workflow: ReturnType<typeof workflowOf>): Promise<void> {
    const { id, epoch, workerId } = await claimOne(engine.db, workflow);
    expect(await beginCompensation(engine.db, id, epoch, workerId)).toMatchObject({ step: "b" });
    await lose();
  }

  it("continues under another worker with the interrupted compensation", async () => {
    const { workflow, runId } = await diedUndoing("undo-lost");
    await dieUndoing(workflow);
    expect((await engine.historyOf(runId)).run).toMatchObject({
      status: "compensating",
      worker_id: null,
      attention: null,
    });
    const { id, epoch, workerId } = await claimOne(engine.db, workflow);
    expect(await beginCompensation(engine.db, id, epoch, workerId)).toMatchObject({
      step: "b",
      attempt: 2,
      failures: 0,
    });
    await lose();
  });

  it.each([
    ["have it tried again", "a", (runId: string) => compensate(aDesk(engine.db), { runId, reason })],
    [
      "mark the step compensated",
      "b",
      (runId: string) => markCompensated(aDesk(engine.db), { runId, step: "b", outcome: "compensated", note: reason }),
    ],
  ])("without progress needs attention: a person can %s", async (_, letter, act) => {
    const { workflow, runId } = await diedUndoing(`undo-poison-${letter}`);
    for (let lost = 1; lost <= MAX_LOST_CLAIMS; lost++) await dieUndoing(workflow);
    const { run, compensations } = await engine.historyOf(runId);
    expect(run).toMatchObject({
      status: "compensating",
      attention: "compensation_owed",
      waiting_kind: "operator",
      waiting_step: "b",
      due_at: null,
    });
    expect(compensations).toMatchObject([
      { step: "b", status: "failed", error: { code: "poisonous_run" } },
      { step: "a", status: "owed" },
    ]);
    await act(runId);
    expect((await engine.historyOf(runId)).run).toMatchObject({ attention: null, due_at: expect.any(Date) });
  });
});
