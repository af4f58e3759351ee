import type { Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import type { AttemptRecord, ClaimRecord, StepRecord } from "../../store/workers/claim-record";
import { type ClaimedRun, claimRuns } from "../../store/workers/claim-runs";
import { type ProcessIdentity, registerWorker } from "../../store/workers/workers";

/** A worker as a row, with one heartbeat; by default its lease is valid for a minute. */
export function aRegisteredWorker(
  db: Db,
  { leaseMs = 60_000, name = "by hand", process }: { leaseMs?: number; name?: string; process?: ProcessIdentity } = {},
): Promise<number> {
  return registerWorker(db, { name, workflows: [], concurrency: 10, leaseMs, ...(process && { process }) });
}

/** Claims one run directly, as a worker would. Fails when there is none. */
export async function claimOne(
  db: Db,
  workflow: Pick<Workflow, "name" | "version" | "timeoutMs">,
  workerId?: number,
): Promise<ClaimedRun & { workerId: number }> {
  const owner = workerId ?? (await aRegisteredWorker(db));
  const {
    runs: [run],
  } = await claimRuns(db, owner, [workflow], 1);
  if (!run) throw new Error(`No run of "${workflow.name}" can be claimed.`);
  return { ...run, workerId: owner };
}

/** The record of a completed step, by default. */
export function aStepRecord(given: Partial<StepRecord> = {}): StepRecord {
  const status = given.status ?? "completed";
  return {
    name: "a-step",
    generation: 1,
    kind: "step",
    effect: "idempotent",
    status,
    position: 1,
    finishedPosition: status === "completed" || status === "failed" ? 1 : null,
    attempt: 1,
    failures: 0,
    maxAttempts: 4,
    keyGeneration: 1,
    output: status === "completed" ? '"done"' : null,
    error: status === "failed" ? '{"name":"Error","message":"no"}' : null,
    reference: null,
    canAsk: false,
    doubt: null,
    workerId: null,
    startedMsAgo: 0,
    next: status === "waiting" ? { inMs: 60_000 } : null,
    compensationMode: null,
    instructions: null,
    ...given,
  };
}

/** The record of a first attempt that failed, by default. */
export function anAttempt(given: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    step: "a-step",
    generation: 1,
    number: 1,
    status: "failed",
    error: '{"name":"Error","message":"no"}',
    workerId: null,
    startedMsAgo: 0,
    ...given,
  };
}

export const aRecord = (
  { id, epoch }: Pick<ClaimedRun, "id" | "epoch">,
  given: Omit<ClaimRecord, "runId" | "epoch">,
): ClaimRecord => ({ runId: id, epoch, ...given });
