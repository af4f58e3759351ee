import type { Db, Statement } from "../db";
import { cutOff, keepCutOff, TO_BE_CUT_OFF, WORKER_LOST } from "../steps/cut-off-steps";

/*
 * Races with: nothing, because the transaction holds the run (lockRun). For a claimed run the cancel is only requested:
 * its worker receives it with its next record or heartbeat, records running bodies, and ends it. Any other run ends
 * here; a body that a lost worker was in will not be reached again.
 */
const cancelStatement: Statement = {
  name: "cancel",
  text: `
    with unknown as (
      select exists (select from handrail.step
        where run_id = $1::uuid and superseded_by is null and status = 'unknown') as any_left
    ), cut_off as (
      update handrail.step set ${cutOff("$2")}
      from handrail.run
      where run.id = $1::uuid and run.status in ('pending', 'waiting', 'paused')
        and step.run_id = run.id and ${TO_BE_CUT_OFF}
      returning step.*
    ), kept as (${keepCutOff("cut_off", "$2")}
    ), asked as (
      update handrail.run set cancel_requested_at = clock_timestamp(), revision = revision + 1
      where id = $1::uuid and status = 'running'
    )
    update handrail.run set
      status = 'cancelled', finished_at = clock_timestamp(), epoch = epoch + 1, revision = revision + 1,
      cancel_requested_at = null, pause_requested_at = null, pause_root = null, held_due_at = null, due_at = null, waiting_kind = null, waiting_step = null, waiting_since = null,
      attention = case when any_left or exists (select from cut_off where cut_off.status = 'unknown') then 'outcome_unknown' end
    from unknown
    where id = $1::uuid and status in ('pending', 'waiting', 'paused')`,
};

export async function cancel(tx: Db, runId: string): Promise<void> {
  await tx.query(cancelStatement, [runId, WORKER_LOST]);
}
