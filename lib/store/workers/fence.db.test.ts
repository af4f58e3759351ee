import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anAttempt, aRecord, aRegisteredWorker, aStepRecord, claimOne } from "../../testing/rows/claims";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { failAndCompensate } from "../compensations/fail-and-compensate";
import type { Db } from "../db";
import { record, recordAlone } from "../steps/record";
import { recordStep, tryRecordStep } from "../steps/record-step";

// A worker that no longer owns a run cannot write to it. Only the epoch distinguishes two claims of one worker.

const engine = anEngine();
let other: pg.Client;
beforeAll(async () => {
  other = new pg.Client({ connectionString: engine.database.url });
  await other.connect();
});
afterAll(() => other.end());

type Claim = Awaited<ReturnType<typeof claimOne>>;

const step = (claim: Claim) => aStepRecord({ workerId: claim.workerId });
const written = (receipts: Map<string, unknown>) => receipts.size > 0;
const error = '{"name":"Error","message":"no"}';

/** Every write of an owner: true if it was written. */
const WRITES: [string, (db: Db, claim: Claim) => Promise<boolean>][] = [
  ["a step in a flush", async (db, claim) => written(await record(db, [aRecord(claim, { step: step(claim) })]))],
  [
    "a step and its attempt",
    async (db, claim) =>
      written(
        await recordAlone(db, [
          aRecord(claim, {
            step: aStepRecord({ status: "waiting", workerId: claim.workerId }),
            attempt: anAttempt({ workerId: claim.workerId }),
          }),
        ]),
      ),
  ],
  [
    "an attempt alone",
    async (db, claim) =>
      written(await recordAlone(db, [aRecord(claim, { attempt: anAttempt({ workerId: claim.workerId }) })])),
  ],
  [
    "a single step",
    async (db, claim) =>
      (await recordStep(db, { runId: claim.id, epoch: claim.epoch, step: step(claim) })) !== undefined,
  ],
  [
    "a single step if its run is not locked",
    async (db, claim) =>
      (await tryRecordStep(db, { runId: claim.id, epoch: claim.epoch, step: step(claim) })) !== undefined,
  ],
  [
    "the end of the claim",
    async (db, claim) =>
      written(await recordAlone(db, [aRecord(claim, { run: { to: "completed", output: '"done"' } })])),
  ],
  [
    "the failure of the run",
    (db, claim) => failAndCompensate(db, { runId: claim.id, epoch: claim.epoch, error, failedStep: null }),
  ],
];

const named = WRITES.map(([what, write], index) => [what, index, write] as const);

const claimed = async (name: string) => {
  const workflow = defineWorkflow({ name, input: z.object({}) }, async () => undefined);
  await engine.start(workflow);
  return { workflow, claim: await claimOne(engine.db, workflow, await aRegisteredWorker(engine.db)) };
};

const stateOf = async (runId: string) => {
  const { run, steps, attempts } = await engine.historyOf(runId);
  return { run, steps, attempts };
};

describe("an earlier owner", () => {
  it.each(named)("that is also the current owner does not write %s under its old claim", async (_, index, write) => {
    const { workflow, claim: stale } = await claimed(`fence-stale-${index}`);
    await record(engine.db, [aRecord(stale, { run: { to: "pending" } })]);
    const current = await claimOne(engine.db, workflow, stale.workerId);
    const before = await stateOf(stale.id);
    expect(await write(engine.db, stale)).toBe(false);
    expect(await stateOf(stale.id)).toEqual(before);
    expect(await write(engine.db, current)).toBe(true);
    expect(await stateOf(stale.id)).not.toEqual(before);
  });

  it.each(named)("of a run without an owner does not write %s", async (_, index, write) => {
    const { claim } = await claimed(`fence-unowned-${index}`);
    await record(engine.db, [aRecord(claim, { run: { to: "pending" } })]);
    const before = await stateOf(claim.id);
    expect(await write(engine.db, claim)).toBe(false);
    expect(await stateOf(claim.id)).toEqual(before);
  });

  it.each(named)("does not write %s while the run is taken over", async (_, index, write) => {
    const { claim } = await claimed(`fence-takeover-${index}`);
    const { steps, attempts } = await stateOf(claim.id);
    await other.query("begin");
    await other.query(
      "update handrail.run set epoch = epoch + 1, worker_id = null, status = 'pending', revision = revision + 1 where id = $1",
      [claim.id],
    );
    let answer: boolean | undefined;
    const writing = write(engine.db, claim).then((given) => {
      answer = given;
    });
    // It either leaves the run alone at once, or waits for the holder of its lock.
    await until("The answer, or the wait for the lock", async () => answer !== undefined || (await isAnyLockAwaited()));
    await other.query("commit");
    await writing;
    expect(answer).toBe(false);
    const after = await stateOf(claim.id);
    expect(after).toMatchObject({ run: { status: "pending", epoch: claim.epoch + 1, output: null }, steps, attempts });
  });
});

async function isAnyLockAwaited(): Promise<boolean> {
  const waiting = await engine.rows(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.length > 0;
}
