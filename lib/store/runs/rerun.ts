import type { Db, Statement } from "../db";
import { type StepPlace, sealed } from "../payloads";

/** The version that last claimed the run, unless it stopped because its code did not fit; null: as started. */
const LAST_THAT_FITTED = `(
        select change.version from handrail.version_change as change
        where change.run_id = run.id and not exists (
          select from handrail.drift where drift.run_id = run.id and drift.version = change.version and drift.stopped)
        order by change.epoch desc limit 1)`;

/*
 * Races with: nothing, because the transaction holds the run (lockRun). A result is superseded, never deleted: its row
 * names the generation that superseded it and the generation of the idempotency key that its next execution uses.
 */
/** As `isRepeatable` in lib/engine/runs/operator-acts.ts. */
const REPEATABLE = "(step.status = 'unknown' and step.kind = 'step' and step.effect = 'idempotent')";

const rerunFromStatement: Statement = {
  name: "rerun-from-step",
  text: `
    with again as (
      select run_id, position from handrail.step
      where run_id = $1::uuid and name = $2 and superseded_by is null
    ), set_aside as (
      update handrail.step set
        superseded_by = run.generation + 1,
        next_key_generation = case when $3::boolean then run.generation + 1 else step.key_generation end
      from again, handrail.run
      where run.id = again.run_id and step.run_id = again.run_id
        and step.superseded_by is null and (${REPEATABLE} or step.position >= again.position
          and (not $4::boolean or step.name = $2 or step.started_at >= (
            select min(finished_at) from handrail.step as earlier where earlier.run_id = again.run_id and earlier.name = $2)))
    )
, ${childrenTell()}
    ${reopenedRun()}`,
};

const rerunFailedStatement: Statement = {
  name: "rerun-failed",
  text: `
    with failed as (
      select step.run_id, step.position from handrail.run
      join handrail.step on step.run_id = run.id and step.name = run.failed_step and step.superseded_by is null
      where run.id = $1::uuid
    ), set_aside as (
      update handrail.step set
        superseded_by = run.generation + 1,
        next_key_generation = case when $2::boolean then run.generation + 1 else step.key_generation end
      from handrail.run left join failed on failed.run_id = run.id
      where run.id = $1::uuid and step.run_id = run.id and step.superseded_by is null
        and (${REPEATABLE} or step.status = 'failed' and step.position >= failed.position)
    )
, ${childrenTell()}
    ${reopenedRun()}`,
};

/** A child that the run may join: a cancel, or a start that was not waited for, has left it to end without a word to its parent. */
function childrenTell(): string {
  return `joined as (
      select id from handrail.run where parent_run_id = $1::uuid and finished_at is null and not tells_parent order by id for no key update
    ), tell as (
      update handrail.run set tells_parent = true where id = any (array(select id from joined)) returning id
    )`;
}

/** Makes the run claimable, one generation later; its end notifies the parent again, its old owner is fenced out. */
function reopenedRun(): string {
  return `update handrail.run set
      status = 'pending', generation = generation + 1, epoch = epoch + 1, revision = revision + 1,
      due_at = null, waiting_kind = null, waiting_step = null, waiting_since = null, attention = null,
      failed_step = null, error = null, output = null, finished_at = null, cancel_requested_at = null, deadline_at = null, begin_by = null, lost_claims = 0,
      tells_parent = parent_run_id is not null, code_version = ${LAST_THAT_FITTED}
    where id = $1::uuid`;
}

interface RerunFrom {
  step: string;
  freshKeys: boolean;
  /** Keeps what began before the step's first outcome: none of that can depend on it. */
  branchOnly: boolean;
}

/**
 * Opens a repair generation: the step and all with a later position run again, and those that `rerunFailed` repeats.
 */
export async function rerunFrom(tx: Db, runId: string, { step, freshKeys, branchOnly }: RerunFrom): Promise<void> {
  await tx.query(rerunFromStatement, [runId, step, freshKeys, branchOnly]);
}

/**
 * Opens a repair generation in which the failed steps run again, and those of unknown outcome whose key makes a
 * repetition safe; without any, the code continues where it failed.
 */
export async function rerunFailed(tx: Db, runId: string, freshKeys: boolean): Promise<void> {
  await tx.query(rerunFailedStatement, [runId, freshKeys]);
}

/*
 * A failed step is skipped, or its output supplied: the failed row is superseded as by a rerun, and a row without an
 * attempt replaces it in the new generation, with the same key.
 */
const supplyStatement: Statement = {
  name: "supply-failed-step",
  text: `
    with failed as (
      select * from handrail.step where run_id = $1::uuid and name = $2 and superseded_by is null
    ), set_aside as (
      update handrail.step set superseded_by = run.generation + 1, next_key_generation = step.key_generation
      from failed, handrail.run
      where run.id = failed.run_id and step.run_id = failed.run_id
        and step.superseded_by is null and step.status = 'failed' and step.position >= failed.position
    ), supplied as (
      insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt,
        max_attempts, key_generation, output, reference, can_ask, started_at, finished_at, compensation_mode, instructions)
      select failed.run_id, failed.name, run.generation + 1, failed.kind, failed.effect, $3, failed.position,
        (select max(finished_position) + 1 from handrail.step where run_id = $1::uuid), 0,
        failed.max_attempts, failed.key_generation, $4, $5, failed.can_ask, clock_timestamp(), clock_timestamp(),
        failed.compensation_mode, failed.instructions
      from failed join handrail.run on run.id = failed.run_id
    )
, ${childrenTell()}
    ${reopenedRun()}`,
};

export interface GivenOutcome {
  status: "completed" | "skipped";
  /** JSON text. */
  output: string;
  reference: string | null;
}

/** The run continues after its failed step as if the step had ended like this. */
export async function supplyFailedStep(tx: Db, place: StepPlace, given: GivenOutcome): Promise<void> {
  const [runId, , step] = place;
  await tx.query(supplyStatement, [runId, step, given.status, sealed(place, given.output), given.reference]);
}
