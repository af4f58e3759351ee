import type { Db, Statement } from "../db";

/*
 * What a compensating run does next. Compensations run strictly in reverse order of completion, so the open one with
 * the highest position decides: an automatic one makes the run due for a worker; a failed or manual one waits for an
 * operator, and whatever completed before it waits behind it; if none is left, the run is compensated. The caller holds
 * the run's row. A run that a worker holds is left to that worker, which asks for the next one itself.
 */
const settleStatement: Statement = {
  name: "settle-compensations",
  text: `
    with next as (
      select step, status = 'failed' or mode = 'manual' as for_person, next_attempt_at
      from handrail.compensation
      where run_id = $1::uuid and status in ('owed', 'running', 'failed')
      order by position desc limit 1
    )
    update handrail.run set
      status = case when next.step is null then 'compensated' else 'compensating' end,
      finished_at = case when next.step is null then clock_timestamp() end,
      attention = case when next.for_person then 'compensation_owed' end,
      waiting_kind = case when next.for_person then 'operator' when next.next_attempt_at is not null then 'retry' end,
      waiting_step = case when next.for_person or next.next_attempt_at is not null then next.step end,
      waiting_since = case when next.for_person or next.next_attempt_at is not null then clock_timestamp() end,
      due_at = case when not next.for_person then coalesce(next.next_attempt_at, clock_timestamp()) end,
      worker_id = null, revision = revision + 1
    from (values (1)) as one left join next on true
    where run.id = $1::uuid and run.status = 'compensating' and ($2::boolean or run.worker_id is null)`,
};

interface SettleOptions {
  /** Set by the worker that holds the run, when it releases the run. Default false. */
  evenIfHeld?: boolean;
}

export async function settleCompensations(tx: Db, runId: string, options: SettleOptions = {}): Promise<void> {
  await tx.query(settleStatement, [runId, options.evenIfHeld ?? false]);
}
