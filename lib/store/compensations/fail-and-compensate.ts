import type { TraceText } from "../../engine/traces/trace-context";
import type { Db, Statement } from "../db";
import { holdsRun } from "../workers/fence";
import { oweCompensations } from "./compensate";
import { settleCompensations } from "./settle-compensations";

export interface Failure {
  runId: string;
  epoch: number;
  error: string;
  failedStep: string | null;
  /** Of the span of the claim; absent while tracing is off. */
  trace?: TraceText | undefined;
}

const failStatement: Statement = {
  name: "fail-before-compensating",
  text: `
    with live as (
      select coalesce(bool_or(status = 'unknown'), false) as in_doubt,
        coalesce(bool_or(status = 'completed' and compensation_mode is not null), false) as undoable
      from handrail.step where run_id = $1::uuid and superseded_by is null
    )
    update handrail.run set error = $2, failed_step = $3, revision = revision + 1, lost_claims = 0, worker_id = null,
      claim_trace = coalesce($4, run.claim_trace), status = 'failed', attention = case when in_doubt then 'outcome_unknown' else 'failed' end,
      finished_at = clock_timestamp(), cancel_requested_at = null, pause_requested_at = null, pause_root = null
    from live where id = $1::uuid
    returning undoable and not in_doubt as "owesCompensation"`,
};

/**
 * Ends a claim with the run's failure, and creates the compensations of all its steps that declare one, in one
 * transaction. A run with nothing to compensate has failed; so has one with an unknown step, since what to compensate
 * is not known yet. The error that caused it stays. False: this claim no longer holds the run; nothing was written,
 * unless an earlier try of the same call committed and its answer was lost.
 */
export function failAndCompensate(db: Db, failure: Failure): Promise<boolean> {
  const { runId, epoch, error, failedStep, trace } = failure;
  return db.transaction(async (tx) => {
    if (!(await holdsRun(tx, runId, epoch))) return false;
    const [failed] = await tx.query<{ owesCompensation: boolean }>(failStatement, [
      runId,
      error,
      failedStep,
      trace ?? null,
    ]);
    if (failed?.owesCompensation) {
      await oweCompensations(tx, runId);
      await settleCompensations(tx, runId);
    }
    return true;
  });
}
