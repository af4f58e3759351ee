import type { Db, Statement } from "../db";

/*
 * Races with: nothing, because the transaction holds the run (lockRun); a claim of the same run at the same instant
 * finds it due or not yet, and in both cases what its pass then reads.
 */
const wakeStatement: Statement = {
  name: "wake",
  text: `
    with woken as (
      update handrail.step set next_attempt_at = clock_timestamp()
      where run_id = $1::uuid and ($2::text is null or name = $2) and superseded_by is null
        and status = 'waiting' and kind in ('sleep', 'step', 'transaction') and next_attempt_at > clock_timestamp()
    )
    update handrail.run set revision = revision + 1, due_at = case when status = 'waiting' then clock_timestamp() end
    where id = $1::uuid`,
};

/** Ends the wait for a timer: of this step, or of every step, or of a delayed start. */
export async function wakeRun(tx: Db, runId: string, step: string | undefined): Promise<void> {
  await tx.query(wakeStatement, [runId, step ?? null]);
}
