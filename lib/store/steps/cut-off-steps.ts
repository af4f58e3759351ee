import type { Db, Statement } from "../db";
import { holdsRun } from "../workers/fence";

/** The error of an attempt whose worker was lost: the outcome of its body was not recorded. */
export const WORKER_LOST = JSON.stringify({ name: "WorkerLost", message: "Its worker was lost while the body ran." });

/**
 * The new state of a running step that will not continue: its outcome is unknown, or it is safe to retry.
 * @param error the parameter that holds WORKER_LOST
 */
export const cutOff = (error: `$${number}`) => `
      status = case when effect = 'pure' or kind = 'transaction' then 'waiting' else 'unknown' end,
      next_attempt_at = case when effect = 'pure' or kind = 'transaction' then clock_timestamp() end,
      doubt = case when effect <> 'pure' and kind <> 'transaction' then ${error} end,
      error = case when effect <> 'pure' and kind <> 'transaction' then ${error} end, finished_at = null`;

/** The interrupted attempt of a step that may simply be retried. */
export const keepCutOff = (cutOffSteps: string, error: `$${number}`) => `
      insert into handrail.attempt (run_id, step, generation, number, status, error, worker_id, started_at, finished_at)
      select run_id, name, generation, attempt, 'interrupted', ${error}, worker_id, started_at, clock_timestamp()
      from ${cutOffSteps} where status = 'waiting'
      on conflict do nothing`;

const cutOffStatement: Statement = {
  name: "cut-off-steps",
  text: `
    with cut_off as (
      update handrail.step set ${cutOff("$2")}
      where run_id = $1::uuid and status = 'running' and superseded_by is null
      returning *
    )
    ${keepCutOff("cut_off", "$2")}`,
};

/** The run ends without another pass. */
export function cutOffSteps(db: Db, runId: string, epoch: number): Promise<void> {
  return db.transaction(async (tx) => {
    if (await holdsRun(tx, runId, epoch)) await tx.query(cutOffStatement, [runId, WORKER_LOST]);
  });
}
