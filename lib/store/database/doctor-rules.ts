import { BLOB_RULES } from "../blobs/blob-rules";
import { EVENT_RULES } from "../events/event-rules";
import { ROLLUP_RULES } from "../flow/rollup-rules";
import { NOTICE_RULES } from "../notices/notice-rules";
import { OPERATION_RULES } from "../operations/operation-rules";
import { PLAN_RULES } from "../operations/plan-rules";
import { MASKING_RULES } from "../privacy/masking-rules";
import { PROBLEM_RULES } from "../problems/problem-rules";
import { INTAKE_RULES } from "../queues/intake-rules";
import { PERMIT_RULES } from "../queues/permit-rules";
import { QUEUE_RULES } from "../queues/queue-rules";
import { RECORD_RULES } from "../runs/record-rules";
import { SCHEDULE_RULES } from "../schedules/schedule-rules";
import { takesDueRun, WORKERS_WITH_ROOM } from "../workers/overdue";
import { REMOTE_RULES } from "../workers/remote-rules";
import { CODE_REQUEST_RULES } from "../workflows/code-request-rules";
import { MIGRATION_RULES } from "./migration-rules";

/*
 * Invariants of every committed state. Each query returns the rows that violate a rule, so an empty result is correct,
 * also while workers run: a query is one statement, so it sees one instant; time-dependent rules have tolerances.
 */

/** The contract's promises, as in ARCHITECTURE.md. */
export type Promised = "P1" | "P2" | "P3" | "P4" | "P5" | "P6" | "P7" | "P8" | "P9" | "P10";

export interface Rule {
  name: string;
  promise: Promised;
  /** What a hit means, and what to do. */
  meaning: string;
  sql: string;
}

const REPORT = "This is a bug in the engine: keep the rows and report them";

const runs: Rule[] = [
  {
    name: "An ended run has no owner, no timer, no wait and no request to cancel or pause it",
    promise: "P6",
    meaning: `Something wrote to a run after its end. ${REPORT}; no work is repeated because of it.`,
    sql: `
      select id, status from handrail.run where status in ('completed', 'failed', 'cancelled', 'compensated')
        and (worker_id is not null or due_at is not null or waiting_kind is not null or waiting_step is not null or cancel_requested_at is not null or pause_requested_at is not null)`,
  },
  {
    name: "A run that is being executed has an active worker",
    promise: "P1",
    meaning: `No worker executes this run, and none will take it over. ${REPORT}; then free the run: set its worker's stopped_at to null, and a live worker takes it over.`,
    sql: `
      select run.id, run.status, run.worker_id from handrail.run left join handrail.worker on worker.id = run.worker_id
      where run.worker_id is not null and (worker.id is null or worker.stopped_at is not null)`,
  },
  {
    name: "The runs of a silent worker are taken over while another worker is live",
    promise: "P1",
    meaning:
      "A lease expired more than a minute ago and no worker took the runs over: look for a worker that cannot reach the database, or a transaction that holds the rows.",
    sql: `
      select run.id, run.worker_id, worker.lease_expires_at from handrail.run join handrail.worker on worker.id = run.worker_id
      where worker.stopped_at is null and worker.lease_expires_at < clock_timestamp() - interval '1 minute'
        and exists (select from handrail.worker alive where alive.stopped_at is null
          and alive.started_at < clock_timestamp() - interval '1 minute' and alive.lease_expires_at > clock_timestamp())`,
  },
  {
    name: "A run that has not ended has a timer, a worker or a person to continue it",
    promise: "P1",
    meaning: `No timer, worker or person will ever continue this run. ${REPORT}; cancel the run, or rerun it from its last step.`,
    sql: `
      select id, status, waiting_kind from handrail.run
      where (status = 'waiting' and due_at is null and waiting_kind in ('timer', 'retry', 'permit', 'blob'))
        or (status = 'compensating' and worker_id is null and due_at is null
          and waiting_kind is distinct from 'slot' and (waiting_kind is distinct from 'operator' or attention is null))`,
  },
  {
    name: "A run that waits for a person because of an unknown outcome has a step with an unknown outcome",
    promise: "P1",
    meaning: `The run asks for a decision that cannot be made. ${REPORT}; rerun the run from the step it waits at.`,
    sql: `
      select id, waiting_step from handrail.run where status = 'waiting' and waiting_kind = 'operator' and not exists (
        select from handrail.step where run_id = run.id and superseded_by is null and status = 'unknown')`,
  },
  {
    name: "Every part of a run belongs to a run",
    promise: "P1",
    meaning: "A run's row was deleted outside Handrail and its parts were not. Delete the parts, or restore the run.",
    sql: `
      select run_id from (select run_id from handrail.step union all select run_id from handrail.attempt
        union all select run_id from handrail.event_wait union all select run_id from handrail.permit union all select run_id from handrail.permit_wait union all select run_id from handrail.blob_wait union all select run_id from handrail.run_tag
        union all select run_id from handrail.compensation union all select run_id from handrail.lost_claim union all select run_id from handrail.suspect union all select run_id from handrail.version_change union all select run_id from handrail.drift union all select run_id from handrail.snooze
        union all select run_id from handrail.log union all select run_id from handrail.progress
        union all select run_id from handrail.new_run union all select run_id from handrail.run_end
        union all select run_id from handrail.span where run_id is not null and held_until is null) part
      where not exists (select from handrail.run where id = part.run_id)`,
  },
];

const timers: Rule[] = [
  {
    name: "A waiting run wakes when the first of its waiting steps is due",
    promise: "P7",
    meaning: `A timer of this run would be noticed late or never. ${REPORT}; set the run's due_at to the step's next_attempt_at.`,
    sql: `
      select run.id, run.due_at, min(step.next_attempt_at) as first from handrail.run join handrail.step on step.run_id = run.id
      where run.status = 'waiting' and run.waiting_kind not in ('slot', 'blob') and step.status = 'waiting' and step.superseded_by is null
      group by run.id having min(step.next_attempt_at) < coalesce(run.due_at, 'infinity')`,
  },
  {
    name: "A due run is claimed while a worker has room for it",
    promise: "P7",
    meaning:
      "A timer passed more than a minute ago, and a live worker of this workflow and version has room and does not claim the run: check whether that worker still claims, and look for a transaction that holds the run's row.",
    sql: `
      select run.id, run.workflow, run.due_at from handrail.run
      where run.due_at < clock_timestamp() - interval '1 minute' and exists (
        select from (${WORKERS_WITH_ROOM}) as worker where ${takesDueRun("run")})`,
  },
];

const steps: Rule[] = [
  {
    name: "A running step belongs to a run that a worker executes or will claim",
    promise: "P3",
    meaning: `The page shows work where there is none. ${REPORT}; check with the provider what the step did.`,
    sql: `
      select run.id, run.status, step.name from handrail.step join handrail.run on run.id = step.run_id
      where step.status = 'running' and step.superseded_by is null
        and run.status in ('completed', 'failed', 'cancelled', 'compensated', 'compensating')`,
  },
  {
    name: "A waiting or ended run with a step in doubt needs attention",
    promise: "P3",
    meaning: `An effect may have happened and no person is asked about it. ${REPORT}; resolve the step's outcome.`,
    sql: `
      select run.id, run.status, step.name from handrail.step join handrail.run on run.id = step.run_id
      where step.status = 'unknown' and step.superseded_by is null
        and run.status in ('waiting', 'completed', 'failed', 'cancelled') and run.attention is distinct from 'outcome_unknown'`,
  },
  {
    name: "A step that waits with a doubt belongs to a run that goes on",
    promise: "P3",
    meaning: `An effect may have happened and no person is asked about it. Earlier versions of Handrail ended runs like this; if the run ended under this one: ${REPORT}. Check with the provider what happened. If the run is completed, failed or cancelled, set the step's status to unknown, its error to its doubt and its next_attempt_at to null, and the run's attention to outcome_unknown; then resolve the step. Otherwise compensate it manually, and set the step's doubt to null.`,
    sql: `
      select run.id, run.status, step.name from handrail.step join handrail.run on run.id = step.run_id
      where step.status = 'waiting' and step.doubt is not null and step.superseded_by is null
        and run.status in ('completed', 'failed', 'cancelled', 'compensated', 'compensating')`,
  },
  {
    name: "A step has one current row",
    promise: "P3",
    meaning: `A step has two current outcomes. ${REPORT}; do not rerun the run before that.`,
    sql: `
      select run_id, name from handrail.step where superseded_by is null group by run_id, name having count(*) > 1`,
  },
  {
    name: "A completed step has its output, a failed one its error",
    promise: "P3",
    meaning: `A kept outcome lacks its output or error. ${REPORT}.`,
    sql: `
      select run_id, name, status from handrail.step
      where (status in ('completed', 'skipped') and output is null) or (status = 'failed' and error is null)`,
  },
  {
    name: "Attempts are numbered from 1 without a gap, up to the step's attempt",
    promise: "P3",
    meaning: `A body ran and is not on record, or was recorded twice. ${REPORT}; check with the provider how often it was called.`,
    sql: `
      select step.run_id, step.name, step.attempt, array_agg(attempt.number order by attempt.number) as attempts
      from handrail.step left join handrail.attempt on attempt.run_id = step.run_id and attempt.step = step.name
        and attempt.generation = step.generation
      where step.attempt > 1 or attempt.number is not null
      group by step.run_id, step.name, step.generation
      having count(attempt.number) filter (where attempt.number < step.attempt) <> greatest(step.attempt - 1, 0)
        or max(attempt.number) > step.attempt`,
  },
  {
    name: "A step that waits for its next attempt has its last attempt on record",
    promise: "P3",
    meaning: `A body ran and is not on record. ${REPORT}; check with the provider how often it was called.`,
    sql: `
      select step.run_id, step.name, step.attempt from handrail.step
      where step.status = 'waiting' and step.kind in ('step', 'transaction') and step.attempt > 0 and not exists (
        select from handrail.attempt where attempt.run_id = step.run_id and attempt.step = step.name
          and attempt.generation = step.generation and attempt.number = step.attempt)`,
  },
  {
    name: "A result is superseded only by a later generation of the same run",
    promise: "P4",
    meaning: `A kept result was superseded without a rerun. ${REPORT}.`,
    sql: `
      select step.run_id, step.name, step.generation, step.superseded_by
      from handrail.step join handrail.run on run.id = step.run_id
      where step.generation > run.generation or step.superseded_by > run.generation or step.superseded_by <= step.generation`,
  },
  {
    name: "A lost claim is older than the run's epoch",
    promise: "P5",
    meaning: `A claim that was given up could still write. ${REPORT}; stop the worker that the claim names.`,
    sql: `
      select run.id, lost_claim.epoch, lost_claim.worker_id from handrail.lost_claim join handrail.run on run.id = lost_claim.run_id
      where lost_claim.epoch >= run.epoch`,
  },
];

const children: Rule[] = [
  {
    name: "A run that waits for a child knows of the child's end",
    promise: "P1",
    meaning: `The child ended more than a minute ago, and its parent does not know while a worker lives. ${REPORT}; wake the parent: set its due_at to now.`,
    sql: `
      select child.parent_run_id, child.id, child.finished_at from handrail.run child
      where child.tells_parent and child.finished_at < clock_timestamp() - interval '1 minute' and exists (
        select from handrail.worker alive where alive.stopped_at is null and alive.lease_expires_at > clock_timestamp()
          and alive.started_at < clock_timestamp() - interval '1 minute')`,
  },
  {
    name: "A run that only waits for children has one that has not ended, or knows of all their ends",
    promise: "P1",
    meaning: `The run waits for children that have all ended. ${REPORT}; set its due_at to now.`,
    sql: `
      select run.id, run.waiting_step, child.id as child from handrail.run
      join handrail.step on step.run_id = run.id and step.kind = 'child' and step.status = 'waiting' and step.superseded_by is null
      join handrail.run child on child.id = step.reference::uuid
      where run.status = 'waiting' and run.waiting_kind = 'child' and run.due_at is null
        and child.status in ('completed', 'cancelled', 'compensated') and not child.tells_parent`,
  },
  {
    name: "A child has its parent, and the step that started it",
    promise: "P1",
    meaning:
      "A run's parent, or the step that started the run, does not exist: rows were deleted outside Handrail. Restore the parent, or leave the child: it ends without it.",
    sql: `
      select child.id, child.parent_run_id, child.parent_step from handrail.run child
      where child.parent_run_id is not null and not exists (
        select from handrail.step where step.run_id = child.parent_run_id and step.name = child.parent_step and step.kind = 'child')`,
  },
  {
    name: "The child of a step exists",
    promise: "P1",
    meaning: `A step waits for a run that does not exist. ${REPORT}; rerun the parent from that step with fresh keys.`,
    sql: `
      select step.run_id, step.name, step.reference from handrail.step
      where step.kind = 'child' and step.status = 'waiting' and not exists (
        select from handrail.run child where child.id = step.reference::uuid and child.parent_run_id = step.run_id
          and child.parent_step = step.name)`,
  },
];

const undos: Rule[] = [
  {
    name: "No two current steps ended at the same position",
    promise: "P10",
    meaning: `The order of this run's compensations is not known. ${REPORT}; compensate its steps manually.`,
    sql: `
      select run_id, finished_position from handrail.step where superseded_by is null and finished_position is not null
      group by run_id, finished_position having count(*) > 1`,
  },
  {
    name: "A running compensation belongs to a compensating run",
    promise: "P10",
    meaning: `A compensation began in a run that is not compensating. ${REPORT}; check with the provider what it did.`,
    sql: `
      select run.id, run.status, compensation.step from handrail.compensation
      join handrail.run on run.id = compensation.run_id
      where compensation.status = 'running' and run.status <> 'compensating'`,
  },
  {
    name: "A compensation begins only after the compensations of all later steps have ended",
    promise: "P10",
    meaning: `Compensations ran out of order. ${REPORT}; check with the providers what was compensated.`,
    sql: `
      select earlier.run_id, earlier.step, later.step as later from handrail.compensation earlier
      join handrail.compensation later on later.run_id = earlier.run_id and later.position > earlier.position
      where earlier.started_at is not null
        and (later.status in ('owed', 'running', 'failed') or later.finished_at > earlier.started_at)`,
  },
  {
    name: "A compensated run has no pending compensation",
    promise: "P10",
    meaning: `A run is marked compensated and is not. ${REPORT}; compensate the step manually.`,
    sql: `
      select run.id, compensation.step, compensation.status from handrail.run
      join handrail.compensation on compensation.run_id = run.id
      where run.status in ('compensated', 'completed') and compensation.status not in ('completed', 'waived')`,
  },
];

/** Rules for the engine. */
export const ENGINE_RULES: readonly Rule[] = [
  ...runs,
  ...timers,
  ...QUEUE_RULES,
  ...PERMIT_RULES,
  ...BLOB_RULES,
  ...INTAKE_RULES,
  ...steps,
  ...EVENT_RULES,
  ...children,
  ...undos,
  ...SCHEDULE_RULES,
  ...RECORD_RULES,
  ...MASKING_RULES,
  ...REMOTE_RULES,
  ...CODE_REQUEST_RULES,
  ...MIGRATION_RULES,
  ...PLAN_RULES,
  ...OPERATION_RULES,
  ...PROBLEM_RULES,
  ...ROLLUP_RULES,
  ...NOTICE_RULES,
];
