import type { Db, Statement } from "../db";
import { type StepPlace, sealed } from "../payloads";
import type { GivenOutcome } from "../runs/rerun";

/*
 * Races with: nothing, for the transaction holds the run (lockRun). The attempt without a recorded outcome is kept as
 * unknown: an operator decides how the step ended, not what that attempt did.
 */
const keepAttempt = `
    with kept as (
      insert into handrail.attempt (run_id, step, generation, number, status, error, worker_id, started_at, finished_at)
      select run_id, name, generation, attempt, 'unknown', error, worker_id, started_at, finished_at
      from handrail.step
      where run_id = $1::uuid and name = $2 and superseded_by is null and status = 'unknown'
      on conflict do nothing
    )`;

const endStatement: Statement = {
  name: "end-unknown-step",
  text: `${keepAttempt}
    update handrail.step set
      status = $3, output = $4, reference = coalesce($5, reference), error = null, doubt = null,
      finished_position = (select coalesce(max(finished_position), 0) + 1 from handrail.step where run_id = $1::uuid),
      finished_at = clock_timestamp()
    where run_id = $1::uuid and name = $2 and superseded_by is null and status = 'unknown'`,
};

/** An operator's decision that the step happened, or is skipped. */
export async function endUnknownStep(tx: Db, place: StepPlace, given: GivenOutcome): Promise<void> {
  const [runId, , step] = place;
  await tx.query(endStatement, [runId, step, given.status, sealed(place, given.output), given.reference]);
}

const repeatStatement: Statement = {
  name: "repeat-unknown-step",
  text: `${keepAttempt}
    update handrail.step set
      status = 'waiting', next_attempt_at = clock_timestamp(), finished_at = null, doubt = null
    where run_id = $1::uuid and name = $2 and superseded_by is null and status = 'unknown'`,
};

/** An operator's decision that it did not happen: the step may be retried without a duplicate effect. */
export async function repeatUnknownStep(tx: Db, runId: string, step: string): Promise<void> {
  await tx.query(repeatStatement, [runId, step]);
}

/**
 * A waiting run continues when no step is unknown any more, or when its code is to ask the provider; an ended one stays
 * ended.
 */
const goOnStatement: Statement = {
  name: "go-on-after-settling",
  text: `
    with unknown as (
      select (array_agg(name order by position))[1] as first_left from handrail.step
      where run_id = $1::uuid and superseded_by is null and status = 'unknown'
    ), next as (
      select run.status = 'waiting' and ($2::boolean or first_left is null) as goes_on, first_left
      from unknown, handrail.run where run.id = $1::uuid
    )
    update handrail.run set
      revision = revision + 1,
      status = case when goes_on then 'pending' else status end,
      epoch = case when goes_on then epoch + 1 else epoch end,
      due_at = case when goes_on then null else due_at end,
      waiting_kind = case when goes_on then null else waiting_kind end,
      waiting_step = case when goes_on then null when waiting_kind = 'operator' then first_left else waiting_step end,
      waiting_since = case when goes_on then null else waiting_since end,
      attention = case when goes_on then null when first_left is not null then 'outcome_unknown'
        when status = 'failed' then 'failed' end
    from next
    where run.id = $1::uuid`,
};

export async function goOnAfterSettling(tx: Db, runId: string, options: { asking: boolean }): Promise<void> {
  await tx.query(goOnStatement, [runId, options.asking]);
}
