import type { aRun } from "./a-run";

const WAITING_FOR_EVENT = `with waiting as (insert into handrail.step (run_id, name, generation, kind, effect, status, position,
  attempt, max_attempts, key_generation, started_at) values ($1, 'wait', 1, 'event', 'pure', 'waiting', 9, 1, 1, 1, now()))`;

type State = keyof ReturnType<typeof aRun>;

const A_PERSON = `insert into handrail.person (id, name, password_hash, role)
  values (gen_random_uuid(), gen_random_uuid()::text, '$argon2id$forged', 'admin')`;

const A_PROBLEM = `(id, kind, workflow, error_name, pattern, failures, open_runs, first_at, last_at, example_run_id, example_version, example_error) select gen_random_uuid(), 'failed', 'w', 'Error', 'no', 1, 1, now(), now(), id, 1, '{}' from handrail.run where id = $1`;

const aMessage = (attempts: number) => `
  with destination as (
    insert into handrail.destination (id, name, kind, addresses, events, per_minute, created_by)
    values (gen_random_uuid(), gen_random_uuid()::text, 'email', '{a@b}', '{}', 1, 'me') returning id
  )
  insert into handrail.delivery (id, destination_id, status, events, event_count, run_id, attempts)
  select gen_random_uuid(), id, 'sending', '[]', 1, $1, ${attempts} from destination`;

/** For every rule a run and what somebody would have to do to it. `$1` is the run's id. */
export const BREAKS: Record<string, [State, string]> = {
  "An ended run has no owner, no timer, no wait and no request to cancel or pause it": [
    "completed",
    "update handrail.run set cancel_requested_at = now() where id = $1",
  ],
  "A run that is worked on has a worker that has not gone": [
    "runningAt",
    "update handrail.worker set stopped_at = now() where $1::text is not null",
  ],
  "The runs of a silent worker are taken over while another worker lives": [
    "runningAt",
    `with silent as (update handrail.worker set lease_expires_at = now() - interval '2 minutes' where $1::text is not null)
     insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
     values ('alive', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "A run that is not at its end has somebody or something to go on": [
    "asleepAfter",
    "update handrail.run set due_at = null where id = $1",
  ],
  "What a workflow masks is a way to something": [
    "completed",
    "insert into handrail.workflow (name, version, title, masked) values ($1::text, 1, 'w', '{card..number}')",
  ],
  "A run in another language is worked on by a worker that has its workflow": [
    "runningAt",
    "update handrail.worker set workflows = '{another}', language = 'Python', lease_ms = 1000 where $1::text is not null",
  ],
  "A step that a living worker over HTTP has begun belongs to a run that it owns": [
    "runningAt",
    `with begun as (update handrail.step set worker_id = (select max(id) + 1 from handrail.worker) where run_id = $1)
     insert into handrail.worker (name, workflows, concurrency, language, lease_ms, lease_expires_at)
     values ('python', '{}', 1, 'Python', 1000, now() + interval '1 hour')`,
  ],
  "A run that stands in a queue is known there": [
    "pending",
    "update handrail.run set queue_key = 'k'; delete from handrail.queue_note",
  ],
  "A closed queue has a slot that is held, or an instant at which it opens, or its intake is closed": [
    "pending",
    "insert into handrail.queue_lane (workflow, key, ready) select workflow, 'k', false from handrail.run where id = $1",
  ],
  "No worker goes on while a migration asks it to stand aside": [
    "runningAt",
    `insert into handrail.drain (migration, requested_at, until_at)
     select id::text, now() - interval '2 minutes', now() + interval '1 minute' from handrail.run where id = $1`,
  ],
  "An item belongs to a plan": [
    "completed",
    `insert into handrail.plan_item (plan_id, position, run_id, workflow, revision, generation, included, detail)
     values ($1, 1, $1, 'w', 0, 1, true, '{}')`,
  ],
  "A whole plan has as many items as it says, numbered from 1 on": [
    "completed",
    `insert into handrail.plan (id, act, params, selection, made_by, expires_at, hash, totals, executed_at) select id, 'rerun', '{}', '{}', 'me', now() + interval '1 day', repeat('0', 64), '{"runs": 1, "included": 0}', now() from handrail.run where id = $1`,
  ],
  "There is the row that a fold takes in hand": [
    "completed",
    "delete from handrail.problem_fold where $1::text is not null",
  ],
  "There is the row that says how far runs are counted": [
    "completed",
    "delete from handrail.rollup_fold where $1::text is not null",
  ],
  "Runs are counted for the charts while a worker lives": [
    "completed",
    `insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
     values ('alive', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "What has ended is counted": [
    "completed",
    "update handrail.rollup_fold set ended_at = now() + interval '2 minutes' where $1::text is not null",
  ],
  "An hour counts as many runs as its minutes": [
    "completed",
    "insert into handrail.run_rollup (minutes, at, workflow, version, failed) values (60, date_trunc('hour', now()), $1::text, 1, 1)",
  ],
  "Executions of a step are counted under a name that is known, each with how long it took": [
    "completed",
    "insert into handrail.step_rollup (minutes, at, workflow, version, step, executions) values (1, now(), $1::text, 1, 's', 1)",
  ],
  "An end that was set aside came before what its run is at now": [
    "completed",
    `insert into handrail.run_end (run_id, at, workflow, version, generation, status, created_at)
     select id, finished_at, workflow, 1, 1, 'failed', created_at from handrail.run where id = $1`,
  ],
  "There is the row that whoever hands notices over takes in hand": [
    "completed",
    "delete from handrail.notice_turn where $1::text is not null",
  ],
  "Notices are handed over while a worker lives": [
    "runningAt",
    `with late as (insert into handrail.notice (kind, due_at, workflows, run_id)
       select 'approval.waiting', now() - interval '2 minutes', '{w}', id from handrail.run where id = $1)
     update handrail.worker set started_at = now() - interval '1 hour', lease_expires_at = now() + interval '1 hour'`,
  ],
  "A message that is being sent has a run that sends it": ["completed", aMessage(0)],
  "The attempts of a message are as many as it counts": ["runningAt", aMessage(1)],
  "A problem holds as many runs as it says": ["completed", `insert into handrail.problem ${A_PROBLEM}`],
  "The failures of a problem are those of its versions": ["completed", `insert into handrail.problem ${A_PROBLEM}`],
  "A run that has failed or is in doubt is held by a problem, or is about to be": [
    "failedAt",
    "delete from handrail.trouble where run_id = $1",
  ],
  "A problem holds only runs that are ill, or whose end of it is about to be told": [
    "completed",
    "insert into handrail.problem_run (run_id, problem_id, since) values ($1, $1, now())",
  ],
  "What leads to a problem leads to one that is there": [
    "completed",
    "insert into handrail.problem_fingerprint (workflow, step, kind, rule, fingerprint, problem_id) values ('w', '', 'failed', 1, 'f', $1)",
  ],
  "Failures are folded into problems while a worker lives": [
    "failedAt",
    `with old as (update handrail.trouble set at = now() - interval '2 minutes' where run_id = $1)
     insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
     values ('idle', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "The counts of an operation are those of its items": [
    "completed",
    `insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total, done) select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1, 1 from handrail.run where id = $1`,
  ],
  "An item was carried out only if its plan includes it": [
    "completed",
    `with op as (insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total) select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1 from handrail.run where id = $1 returning id) insert into handrail.operation_item (operation_id, position, run_id, outcome) select id, 1, id, 'done' from op`,
  ],
  "What an operation has done stands in the audit with its plan": [
    "completed",
    `with op as (insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total) select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1 from handrail.run where id = $1 returning id) insert into handrail.operation_item (operation_id, position, run_id, outcome) select id, 1, id, 'done' from op`,
  ],
  "A plan that takes a second person was carried out with the yes of one, who is not who asked": [
    "completed",
    `with plan as (insert into handrail.plan (id, act, params, selection, made_by, expires_at, hash, totals)
       select id, 'rerun', '{}', '{}', 'mia', now(), repeat('0', 64), '{"runs":0,"included":0,"secondPerson":{"runs":1,"workflows":[]}}'
       from handrail.run where id = $1 returning id)
     insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total)
     select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1 from plan`,
  ],
  "An operation that runs has a run that has not ended": [
    "completed",
    `with ended as (update handrail.run set finished_at = now() - interval '2 minutes' where id = $1)
     insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total) select id, id, id, 'rerun', '{}', '{}', 'why', 1, 0, 1 from handrail.run where id = $1`,
  ],
  "What is left of a deleted operation belongs to one that is being deleted": [
    "completed",
    "insert into handrail.operation_item (operation_id, position, run_id, outcome) select gen_random_uuid(), 1, id, 'done' from handrail.run where id = $1",
  ],
  "Every worker knows which intakes are closed": [
    "runningAt",
    "insert into handrail.closed_intake (workflow, holds, closed_by, reason) select id::text, 'all', 'me', 'why' from handrail.run where id = $1",
  ],
  "No run has begun since its workflow's intake was closed": [
    "completed",
    `insert into handrail.closed_intake (workflow, holds, closed_by, reason, closed_at)
     select workflow, 'new', 'me', 'why', started_at - interval '1 s' from handrail.run where id = $1`,
  ],
  "A workflow whose slots are all held has a run that holds one": [
    "pending",
    `insert into handrail.queue_total (workflow, "full") select workflow, true from handrail.run where id = $1`,
  ],
  "A run is found by its tags, and by no others": [
    "pending",
    "insert into handrail.run_tag (name, value, run_id) values ('customer', 'another', $1)",
  ],
  "A request on record has its answer": [
    "pending",
    "insert into handrail.request (key, fingerprint) select id::text, 'f' from handrail.run where id = $1",
  ],
  "A workflow that begins with an event is known at that version": [
    "pending",
    "insert into handrail.subscription (workflow, version, event) select id::text, 1, 'paid' from handrail.run where id = $1",
  ],
  "Where people sign in, one of them manages access": [
    "pending",
    `${A_PERSON}; update handrail.person set role = 'viewer'`,
  ],
  "A person came by a link, or by a group of the sign-in provider, on record": ["pending", A_PERSON],
  "An account of the sign-in provider was linked on record": [
    "pending",
    `${A_PERSON}; insert into handrail.person_identity (issuer, subject, person_id, by_groups)
     select 'https://login.example', 'planted', id, true from handrail.person on conflict do nothing`,
  ],
  "A session that lives began with a sign-in on record": [
    "pending",
    `${A_PERSON}; insert into handrail.session (id, token_hash, person_id, expires_at)
     select gen_random_uuid(), sha256(convert_to(id::text, 'utf8')), id, 'infinity' from handrail.person`,
  ],
  "A saved view was saved by an audited act": [
    "completed",
    `insert into handrail.saved_view (id, name, owner_id, owner, shared, state, updated_by)
     select gen_random_uuid(), 'forged', 'anybody', 'nobody', true, '{}', 'nobody' from handrail.run where id = $1`,
  ],
  "A token was made by an audited act": [
    "pending",
    `insert into handrail.token (id, name, token_hash, scopes, created_by, expires_at)
     values (gen_random_uuid(), 'forged', sha256('forged'), '{admin}', 'mia', 'infinity')`,
  ],
  "Limits that a person has set have their act on record": [
    "pending",
    "insert into handrail.queue_limit (workflow, concurrency, set_by) select id::text, 1, 'mia' from handrail.run where id = $1",
  ],
  "A run that waits for a person because of an unknown outcome has a step with one": [
    "waitingUnknown",
    "update handrail.step set status = 'completed', output = '1', finished_position = 9 where run_id = $1 and status = 'unknown'",
  ],
  "Everything belongs to a run": ["completed", "delete from handrail.run where id = $1"],
  "A waiting run wakes when the first of its waiting steps is due": [
    "asleepAfter",
    "update handrail.step set status = 'waiting', finished_position = null, next_attempt_at = now() where run_id = $1",
  ],
  "A due run is taken up while an idle worker can": [
    "asleepAfter",
    `with due as (update handrail.run set due_at = now() - interval '2 minutes' where id = $1)
     insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
     values ('idle', '{order-fulfilment}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "A step that runs belongs to a run that somebody works on, or will take up": [
    "completed",
    "update handrail.step set status = 'running', finished_position = null, finished_at = null where run_id = $1 and position = 3",
  ],
  "A run at rest with a step in doubt asks for a person": [
    "waitingUnknown",
    "update handrail.run set attention = null where id = $1",
  ],
  "A step has one row that stands": [
    "completed",
    `insert into handrail.step (run_id, name, generation, kind, effect, status, position, attempt, max_attempts, key_generation, started_at)
     values ($1, 'create-order', 2, 'step', 'pure', 'running', 9, 1, 1, 1, now())`,
  ],
  "A completed step has its output, a failed one its error": [
    "completed",
    "update handrail.step set output = null where run_id = $1 and position = 1",
  ],
  "Attempts are numbered from 1 on without a hole, up to the step's own": [
    "completed",
    "update handrail.step set attempt = 3 where run_id = $1 and position = 1",
  ],
  "A step that waits for its next attempt has the last one on record": [
    "asleepAfter",
    "update handrail.step set status = 'waiting', finished_position = null, next_attempt_at = now() where run_id = $1",
  ],
  "A result is set aside only by a later generation of its own run": [
    "completed",
    "update handrail.step set superseded_by = 2, next_key_generation = 1 where run_id = $1 and position = 1",
  ],
  "A lost claim is older than the run's epoch": [
    "completed",
    "insert into handrail.lost_claim (run_id, epoch, worker_id) values ($1, 1, 1)",
  ],
  "A run that waits for an event has none that it could take": [
    "asleepAfter",
    `${WAITING_FOR_EVENT}, unheard as (update handrail.run set due_at = null, waiting_kind = 'event' where id = $1),
     waited as (insert into handrail.event_wait (run_id, step, generation, event) values ($1, 'wait', 1, 'e'))
     insert into handrail.event (name, id, run_id, payload) values ('e', '1', $1, 'null')`,
  ],
  "An event that was taken is the outcome of the step that took it": [
    "completed",
    `insert into handrail.event (name, id, run_id, payload, taken_by, taken_step, taken_generation, taken_at)
     values ('e', '1', $1, 'null', $1, 'nowhere', 1, now())`,
  ],
  "A step took one event at the most": [
    "completed",
    `insert into handrail.event (name, id, run_id, payload, taken_by, taken_step, taken_generation, taken_at)
     select 'e', n::text, $1, 'null', $1, 'create-order', 1, now() from generate_series(1, 2) n`,
  ],
  "A step that waits for an event is on record among the waits": ["asleepAfter", `${WAITING_FOR_EVENT} select`],
  "A run that waits for a child is told of its end": [
    "completed",
    `with alive as (
       insert into handrail.worker (name, workflows, concurrency, started_at, lease_expires_at)
       values ('alive', '{}', 1, now() - interval '1 hour', now() + interval '1 hour')
     )
     insert into handrail.run (id, workflow, version, status, input, output, finished_at, tells_parent,
       parent_run_id, parent_step, parent_key_generation)
     values (gen_random_uuid(), 'w', 1, 'completed', '{}', 'null', now() - interval '2 minutes', true, $1, 's', 1)`,
  ],
  "A run that only waits for children has one that has not ended, or was told of all their ends": [
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
  "The child of a step is there": [
    "asleepAfter",
    `insert into handrail.step (run_id, name, generation, kind, effect, status, position, attempt, max_attempts, key_generation, reference, started_at)
     values ($1, 's', 1, 'child', 'pure', 'waiting', 9, 1, 1, 1, gen_random_uuid(), now())`,
  ],
  "No two steps that stand ended at the same position": [
    "completed",
    "update handrail.step set finished_position = 1 where run_id = $1",
  ],
  "A compensation that runs belongs to a compensating run": [
    "compensatingInHand",
    "update handrail.run set status = 'completed', worker_id = null, finished_at = now() where id = $1",
  ],
  "An undo begins only after the undo of whatever completed later has ended": [
    "compensating",
    "update handrail.compensation set started_at = now() where run_id = $1 and step = 'create-order'",
  ],
  "A compensated run owes nothing": [
    "compensating",
    "update handrail.run set status = 'compensated', waiting_kind = null, finished_at = now() where id = $1",
  ],
  "A run of a schedule and its nominal time name each other": [
    "completed",
    "update handrail.run set schedule = 'nightly', scheduled_at = now() where id = $1",
  ],
  "A schedule looks no later than at its next nominal time": [
    "completed",
    `insert into handrail.schedule (name, workflow, title, definition, nominal_at, look_at)
     values ('nightly', 'w', 'Nightly', '{}', now(), now() + interval '1 s')`,
  ],
  "A due schedule is fired while a living worker can": [
    "completed",
    `with due as (insert into handrail.schedule (name, workflow, title, definition, nominal_at, look_at)
       values ('nightly', 'w', 'Nightly', '{}', now() - interval '2 minutes', now() - interval '2 minutes'))
     insert into handrail.worker (name, workflows, schedules, concurrency, started_at, lease_expires_at)
     values ('idle', '{w}', '{nightly}', 1, now() - interval '1 hour', now() + interval '1 hour')`,
  ],
  "Every repair generation was opened by an audited act": [
    "completed",
    "update handrail.run set generation = 2 where id = $1",
  ],
  "A cancelled run was cancelled by an audited act": [
    "completed",
    "update handrail.run set status = 'cancelled' where id = $1",
  ],
  "An undo that a person recorded has its act on record": [
    "compensating",
    `update handrail.compensation set status = 'waived', "by" = 'mia', note = 'n', finished_at = now() where run_id = $1`,
  ],
  "A request did its work once": [
    "completed",
    `insert into handrail.audit (actor, act, run_id, reason, before, after, request_key)
     select 'mia', 'cancel', $1, 'r', '{}', '{}', 'one-key' from generate_series(1, 2)`,
  ],
  "The audit's chain ends where its last row says, without a hole in its last thousand rows": [
    "completed",
    "update handrail.audit_chain set seq = 7",
  ],
  "Each act on a run began with what the act before it left, or later": [
    "completed",
    `insert into handrail.audit (actor, act, run_id, reason, before, after)
     select 'mia', 'settle', $1, 'r', '{"revision": 4}', '{"revision": 5}' from generate_series(1, 2)`,
  ],
};
