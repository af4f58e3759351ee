import type { Db, Statement } from "../db";
import { holdsRun } from "../workers/fence";

/** The error of an attempt whose worker was lost: the outcome of its body was not recorded. */
export const WORKER_LOST = JSON.stringify({ name: "WorkerLost", message: "Its worker was lost while the body ran." });

/** A body may be running, or the step waits for its retry after an attempt that may have had its effect. */
export const TO_BE_CUT_OFF =
  "(step.status = 'running' or step.status = 'waiting' and step.doubt is not null) and step.superseded_by is null";

/** A retry may follow: whatever the body did was rolled back, or was no effect. */
const SAFE = "step.status = 'running' and (step.effect = 'pure' or step.kind = 'transaction')";

/** Of the steps to be cut off, those whose outcome is unknown then. */
export const BECOMES_UNKNOWN = `${TO_BE_CUT_OFF} and not (${SAFE})`;

/**
 * The new state of such a step, which will not continue: its outcome is unknown, or it is safe to retry.
 * @param error the parameter that holds WORKER_LOST
 */
export const cutOff = (error: `$${number}`) => `
      status = case when ${SAFE} then 'waiting' else 'unknown' end,
      next_attempt_at = case when ${SAFE} then clock_timestamp() end,
      doubt = case when step.status = 'waiting' then step.doubt when not (${SAFE}) then ${error} end,
      error = case when step.status = 'waiting' then step.doubt when not (${SAFE}) then ${error} end, finished_at = null`;

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
      where step.run_id = $1::uuid and ${TO_BE_CUT_OFF}
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
