import type { CompensationStatus } from "../../engine/compensations/compensation";
import type { Db, Statement } from "../db";
import { opened } from "../payloads";
import { holdsRun } from "../workers/fence";
import { settleCompensations } from "./settle-compensations";

/** A compensation that this claim runs now. */
export interface OpenCompensation {
  step: string;
  generation: number;
  keyGeneration: number;
  attempt: number;
  failures: number;
  /** The worker of the attempt before was lost in it. */
  wasLost: boolean;
  /** The output of the compensated step, encoded. */
  output: string;
}

// Only the open compensation with the highest position, and only if a worker may run it now: the order is guaranteed.
const beginStatement: Statement = {
  name: "begin-undo",
  text: `
    with next as (
      select run_id, step, generation, mode, status, next_attempt_at from handrail.compensation
      where run_id = $1::uuid and status in ('owed', 'running', 'failed')
      order by position desc limit 1
    ), begun as (
      update handrail.compensation set status = 'running', attempt = attempt + 1, worker_id = $2::bigint,
        started_at = clock_timestamp(), next_attempt_at = null
      from next
      where compensation.run_id = next.run_id and compensation.step = next.step
        and compensation.generation = next.generation and next.mode = 'automatic' and next.status in ('owed', 'running')
        and (next.next_attempt_at is null or next.next_attempt_at <= clock_timestamp())
      returning compensation.*, next.status = 'running' as was_lost
    )
    select begun.step, begun.generation, begun.attempt, begun.failures, begun.was_lost as "wasLost", step.output, step.key_generation as "keyGeneration"
    from begun join handrail.step on step.run_id = begun.run_id and step.name = begun.step and step.generation = begun.generation`,
};

const openStatement: Statement = {
  name: "open-undos",
  text: `
    select step from handrail.compensation
    where run_id = $1::uuid and mode = 'automatic' and status in ('owed', 'running')`,
};

/** Names of the steps with an open automatic compensation. */
export async function openCompensations(db: Db, runId: string): Promise<string[]> {
  const rows = await db.query<{ step: string }>(openStatement, [runId]);
  return rows.map((row) => row.step);
}

/**
 * Takes the next compensation, and records its attempt before its body runs. Without one to run now the claim ends: the
 * run waits for an operator or a retry, or is compensated. `lost`: another worker owns the run.
 */
export function beginCompensation(
  db: Db,
  runId: string,
  epoch: number,
  workerId: number,
): Promise<OpenCompensation | "none" | "lost"> {
  return db.transaction(async (tx) => {
    if (!(await holdsRun(tx, runId, epoch))) return "lost";
    const [current] = await tx.query<OpenCompensation>(beginStatement, [runId, workerId]);
    if (current)
      return { ...current, output: opened([runId, "step", current.step, current.generation], current.output) };
    await settleCompensations(tx, runId, { evenIfHeld: true });
    return "none";
  });
}

export type CompensationResult =
  | { to: "completed" }
  /**
   * Retried after the delay, by whichever worker claims the run then. An attempt that was `cutOff` does not count as a
   * failure.
   */
  | { to: "owed"; error: string; delayMs: number; cutOff?: boolean }
  /** Stays so until an operator acts. */
  | { to: "failed"; error: string };

// Of this attempt alone: one that outlived its timeout finds another attempt, or an outcome, and changes nothing.
const keepStatement: Statement = {
  name: "keep-undo",
  text: `
    update handrail.compensation set status = $5, error = $6,
      failures = failures + case when $5 = 'completed' or $8::boolean then 0 else 1 end,
      next_attempt_at = clock_timestamp() + $7::float8 * interval '1 ms',
      "by" = case when $5 = 'completed' then 'worker' end,
      finished_at = case when $5 = 'completed' then clock_timestamp() end
    where run_id = $1::uuid and step = $2 and generation = $3::int and attempt = $4::int and status = 'running'
    returning step`,
};

/**
 * `kept`: recorded now. `unchanged`: the attempt has an outcome already, this one sent before or another; nothing was
 * written. `lost`: the claim is lost, nothing was written.
 */
type CompensationReceipt = "kept" | "unchanged" | "lost";

/** In the caller's transaction, so that a transactional compensation and its record commit together. */
export function keepCompensation(
  db: Db,
  runId: string,
  epoch: number,
  current: Pick<OpenCompensation, "step" | "generation" | "attempt">,
  outcome: CompensationResult,
): Promise<CompensationReceipt> {
  return db.transaction(async (tx) => {
    if (!(await holdsRun(tx, runId, epoch))) return "lost";
    const error = outcome.to === "completed" ? null : outcome.error;
    const delayMs = outcome.to === "owed" ? outcome.delayMs : null;
    const cutOff = outcome.to === "owed" && outcome.cutOff === true;
    const { step, generation, attempt } = current;
    const kept = await tx.query(keepStatement, [runId, step, generation, attempt, outcome.to, error, delayMs, cutOff]);
    return kept.length > 0 ? "kept" : "unchanged";
  });
}

const findStatement: Statement = {
  name: "find-undo",
  text: `
    select attempt, failures, status from handrail.compensation
    where run_id = $1::uuid and step = $2 and generation = $3::int and mode = 'automatic'`,
};

/** The progress of a step's compensation; undefined if the step has no automatic one. */
export async function findCompensation(
  tx: Db,
  runId: string,
  step: string,
  generation: number,
): Promise<(Pick<OpenCompensation, "attempt" | "failures"> & { status: CompensationStatus }) | undefined> {
  const [row] = await tx.query<Pick<OpenCompensation, "attempt" | "failures"> & { status: CompensationStatus }>(
    findStatement,
    [runId, step, generation],
  );
  return row;
}

/** Releases a compensating run, for any worker to continue. */
export function releaseCompensations(db: Db, runId: string, epoch: number): Promise<void> {
  return db.transaction(async (tx) => {
    if (await holdsRun(tx, runId, epoch)) await settleCompensations(tx, runId, { evenIfHeld: true });
  });
}
