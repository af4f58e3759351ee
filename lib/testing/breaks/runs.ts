import type { Breaks } from "./breaks";

const WAITING_FOR_EVENT = `with waiting as (insert into handrail.step (run_id, name, generation, kind, effect, status, position,
  attempt, max_attempts, key_generation, started_at) values ($1, 'wait', 1, 'event', 'pure', 'waiting', 9, 1, 1, 1, now()))`;

/** Rules about runs, their steps, waits, children and compensations, and their workers. */
export const BREAKS_OF_RUNS: Breaks = {
  "An ended run has no owner, no timer, no wait and no request to cancel or pause it": [
    "completed",
    "update handrail.run set cancel_requested_at = now() where id = $1",
  ],
  "A run that is being executed has an active worker": [
    "runningAt",
    "update handrail.worker set stopped_at = now() where $1::text is not null",
  ],
  "The runs of a silent worker are taken over while another worker is live": [
    "runningAt",
    `with silent as (update handrail.worker set lease_expires_at = now() - interval '2 minutes' where $1::text is not null)
     insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
     values ('alive', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "A run that has not ended has a timer, a worker or a person to continue it": [
    "asleepAfter",
    "update handrail.run set due_at = null where id = $1",
  ],
  "Every masked path of a workflow can match a field": [
    "completed",
    "insert into handrail.workflow (name, version, title, masked) values ($1::text, 1, 'w', '{card..number}')",
  ],
  "A run of a workflow in another language is executed by a worker that has the workflow": [
    "runningAt",
    "update handrail.worker set workflows = '{another}', language = 'Python', lease_ms = 1000 where $1::text is not null",
  ],
  "A step that a live worker over HTTP began belongs to a run that it owns": [
    "runningAt",
    `with begun as (update handrail.step set worker_id = (select max(id) + 1 from handrail.worker) where run_id = $1)
     insert into handrail.worker (name, workflows, concurrency, language, lease_ms, lease_expires_at)
     values ('python', '{}', 1, 'Python', 1000, now() + interval '1 hour')`,
  ],
  "A queued run's queue is registered": [
    "pending",
    "update handrail.run set queue_key = 'k'; delete from handrail.queue_note",
  ],
  "A closed queue has a held slot, an instant at which it opens, or paused new runs": [
    "pending",
    "insert into handrail.queue_lane (workflow, key, ready) select workflow, 'k', false from handrail.run where id = $1",
  ],
  "A permit in use, and a place in a line, belong to a known limit": [
    "asleepAfter",
    `insert into handrail.permit_wait (run_id, step, generation, limit_name, limit_key, ticket, due_at)
     values ($1, 'call', 1, 'stripe', '', 1, now())`,
  ],
  "A reference to a blob leads to a blob that stays": [
    "completed",
    `update handrail.run set output = '{"$type":"blob","key":"k","size":1,"sha256":""}' where id = $1`,
  ],
  "A blob that nothing refers to is deleted from the store within a day": [
    "completed",
    `insert into handrail.blob (key, run_id, place, size, gone_at, due_at)
     values ('k', $1, 'output', 1, now() - interval '2 days', now())`,
  ],
  "No worker continues while a migration asks workers to drain": [
    "runningAt",
    `insert into handrail.drain (migration, requested_at, until_at)
     select id::text, now() - interval '2 minutes', now() + interval '1 minute' from handrail.run where id = $1`,
  ],
  "A workflow whose slots are all held has a run that holds one": [
    "pending",
    `insert into handrail.queue_total (workflow, "full") select workflow, true from handrail.run where id = $1`,
  ],
  "A run is found by its tags, and by no others": [
    "pending",
    "insert into handrail.run_tag (name, value, run_id) values ('customer', 'another', $1)",
  ],
  "A workflow that an event starts is known at that version": [
    "pending",
    "insert into handrail.subscription (workflow, version, event) select id::text, 1, 'paid' from handrail.run where id = $1",
  ],
  "A run that waits for a person because of an unknown outcome has a step with an unknown outcome": [
    "waitingUnknown",
    "update handrail.step set status = 'completed', output = '1', finished_position = 9 where run_id = $1 and status = 'unknown'",
  ],
  "Every part of a run belongs to a run": ["completed", "delete from handrail.run where id = $1"],
  "A waiting run wakes when the first of its waiting steps is due": [
    "asleepAfter",
    "update handrail.step set status = 'waiting', finished_position = null, next_attempt_at = now() where run_id = $1",
  ],
  "A due run is claimed while a worker has room for it": [
    "asleepAfter",
    `with due as (update handrail.run set due_at = now() - interval '2 minutes' where id = $1)
     insert into handrail.worker (name, workflows, versions, concurrency, started_at, lease_expires_at)
     values ('idle', '{order-fulfilment}', '{"order-fulfilment": [1]}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "A running step belongs to a run that a worker executes or will claim": [
    "completed",
    "update handrail.step set status = 'running', finished_position = null, finished_at = null where run_id = $1 and position = 3",
  ],
  "A waiting or ended run with a step in doubt needs attention": [
    "waitingUnknown",
    "update handrail.run set attention = null where id = $1",
  ],
  "A step that waits with a doubt belongs to a run that goes on": [
    "cancelledWithUnknown",
    "update handrail.step set status = 'waiting', doubt = '{}', next_attempt_at = now() where run_id = $1 and status = 'unknown'",
  ],
  "A step has one current row": [
    "completed",
    `insert into handrail.step (run_id, name, generation, kind, effect, status, position, attempt, max_attempts, key_generation, started_at)
     values ($1, 'create-order', 2, 'step', 'pure', 'running', 9, 1, 1, 1, now())`,
  ],
  "A completed step has its output, a failed one its error": [
    "completed",
    "update handrail.step set output = null where run_id = $1 and position = 1",
  ],
  "Attempts are numbered from 1 without a gap, up to the step's attempt": [
    "completed",
    "update handrail.step set attempt = 3 where run_id = $1 and position = 1",
  ],
  "A step that waits for its next attempt has its last attempt on record": [
    "asleepAfter",
    "update handrail.step set status = 'waiting', finished_position = null, next_attempt_at = now() where run_id = $1",
  ],
  "A result is superseded only by a later generation of the same run": [
    "completed",
    "update handrail.step set superseded_by = 2, next_key_generation = 1 where run_id = $1 and position = 1",
  ],
  "A lost claim is older than the run's epoch": [
    "completed",
    "insert into handrail.lost_claim (run_id, epoch, worker_id) values ($1, 1, 1)",
  ],
  "No event is available to a run that waits for it": [
    "asleepAfter",
    `${WAITING_FOR_EVENT}, unheard as (update handrail.run set due_at = null, waiting_kind = 'event' where id = $1),
     waited as (insert into handrail.event_wait (run_id, step, generation, event) values ($1, 'wait', 1, 'e'))
     insert into handrail.event (name, id, run_id, payload) values ('e', '1', $1, 'null')`,
  ],
  "A taken event is the outcome of the step that took it": [
    "completed",
    `insert into handrail.event (name, id, run_id, payload, taken_by, taken_step, taken_generation, taken_at)
     values ('e', '1', $1, 'null', $1, 'nowhere', 1, now())`,
  ],
  "A step took at most one event": [
    "completed",
    `insert into handrail.event (name, id, run_id, payload, taken_by, taken_step, taken_generation, taken_at)
     select 'e', n::text, $1, 'null', $1, 'create-order', 1, now() from generate_series(1, 2) n`,
  ],
  "A step that waits for an event is on record among the waits": ["asleepAfter", `${WAITING_FOR_EVENT} select`],
  "A run that waits for a child knows of the child's end": [
    "completed",
    `with alive as (
       insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
       values ('alive', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')
     )
     insert into handrail.run (id, workflow, version, status, input, output, finished_at, tells_parent,
       parent_run_id, parent_step, parent_key_generation)
     values (gen_random_uuid(), 'w', 1, 'completed', '{}', 'null', now() - interval '2 minutes', true, $1, 's', 1)`,
  ],
  "A run that only waits for children has one that has not ended, or knows of all their ends": [
    "asleepAfter",
    `with child as (
       insert into handrail.run (id, workflow, version, status, input, output, finished_at, parent_run_id, parent_step, parent_key_generation)
       values (gen_random_uuid(), 'w', 1, 'completed', '{}', 'null', now(), $1, 's', 1) returning id
     ), step as (
       insert into handrail.step (run_id, name, generation, kind, effect, status, position, attempt, max_attempts, key_generation, reference, started_at)
       select $1, 's', 1, 'child', 'pure', 'waiting', 9, 1, 1, 1, id, now() from child
     )
     update handrail.run set waiting_kind = 'child', due_at = null where id = $1`,
  ],
  "A child has its parent, and the step that started it": [
    "completed",
    "update handrail.run set parent_run_id = gen_random_uuid(), parent_step = 's', parent_key_generation = 1 where id = $1",
  ],
  "The child of a step exists": [
    "asleepAfter",
    `insert into handrail.step (run_id, name, generation, kind, effect, status, position, attempt, max_attempts, key_generation, reference, started_at)
     values ($1, 's', 1, 'child', 'pure', 'waiting', 9, 1, 1, 1, gen_random_uuid(), now())`,
  ],
  "No two current steps ended at the same position": [
    "completed",
    "update handrail.step set finished_position = 1 where run_id = $1",
  ],
  "A running compensation belongs to a compensating run": [
    "compensatingInHand",
    "update handrail.run set status = 'completed', worker_id = null, finished_at = now() where id = $1",
  ],
  "A compensation begins only after the compensations of all later steps have ended": [
    "compensating",
    "update handrail.compensation set started_at = now() where run_id = $1 and step = 'create-order'",
  ],
  "A compensated run has no pending compensation": [
    "compensating",
    "update handrail.run set status = 'compensated', waiting_kind = null, finished_at = now() where id = $1",
  ],
  "A run of a schedule and its nominal time name each other": [
    "completed",
    "update handrail.run set schedule = 'nightly', scheduled_at = now() where id = $1",
  ],
  "A schedule wakes no later than at its next nominal time": [
    "completed",
    `insert into handrail.schedule (name, workflow, title, definition, nominal_at, look_at)
     values ('nightly', 'w', 'Nightly', '{}', now(), now() + interval '1 s')`,
  ],
  "A due schedule is fired while a live worker can": [
    "completed",
    `with due as (insert into handrail.schedule (name, workflow, title, definition, nominal_at, look_at)
       values ('nightly', 'w', 'Nightly', '{}', now() - interval '2 minutes', now() - interval '2 minutes'))
     insert into handrail.worker (name, workflows, schedules, concurrency, started_at, lease_expires_at)
     values ('idle', '{w}', '{nightly}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
};
