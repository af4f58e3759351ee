-- handrail: drain
--
-- Every table of Handrail, from top to bottom. Later changes are migrations of their own (docs/upgrading.md).
--
--    1  Workflows and runs          7  Schedules                   13  Problems
--    2  Steps                       8  SQL for triggers and apps   14  Charts
--    3  Compensations               9  Requests and audit log      15  Notifications
--    4  Workers and claims         10  Access                      16  Migrations
--    5  Events                     11  Saved views
--    6  Queues                     12  Plans and operations
--
-- What holds for all of them:
--
-- * The CHECKs say which rows there can be; docs/lifecycle.md says who changes what. A status is text with a CHECK, not an
--   enum: a CHECK can be changed in a transaction, and beside working processes.
-- * run and step are written for every step that is executed. step has no index but its key; those of run are partial where they
--   can be, so that a run is in few of them at a time. Neither has foreign keys: the statement that writes has locked the run's
--   row already, and a key check for each step would double the processor time of a flush.
-- * Instants are clock_timestamp(), the database's clock at the statement: now() would be the beginning of the transaction.
-- * Inputs, outputs, errors and payloads are text, as lib/engine/values/codec.ts writes them (docs/decisions/003), and may be
--   encrypted (docs/privacy.md). Ids of runs are UUIDv7: their order is the order in which they were made.
-- * A trigger exists where a fact comes about in many statements, and one that forgot to record it would go unnoticed.

create schema if not exists handrail;


-- 1. Workflows and runs -----------------------------------------------------------------------------------------------------

-- A version of a workflow, as the workers that have its code registered it. The console reads this instead of the code.
create table handrail.workflow (
  name text not null,
  version integer not null,
  title text not null,
  -- json, not jsonb, which would reorder the properties: the form asks in the author's order.
  input_schema json,
  -- The limits and the window that the code declares; null: none.
  limits jsonb,
  -- How long ended runs are kept, by outcome: { "completedMs": …, "failedMs": … }. Absent: for ever.
  retention jsonb,
  -- What a worker over HTTP registered of it; null for a workflow in this code.
  definition jsonb,
  -- Fields that people are not shown, as ends of paths of keys, such as {card.number}.
  masked text[] not null default '{}',
  -- Actions on its runs that take a second person.
  four_eyes text[] not null default '{}',
  registered_at timestamptz(6) not null default clock_timestamp(),
  seen_at timestamptz(6) not null default clock_timestamp(),
  constraint workflow_pkey primary key (name, version),
  constraint workflow_definition check (definition ->> 'language' is not null or definition is null)
);

-- One execution of a workflow on one input.
create table handrail.run (
  id uuid not null,
  workflow text not null,
  -- The version that it began with.
  version integer not null,
  -- The version that an operator chose: only workers that have it continue the run.
  chosen_version integer,
  -- The version that claimed it last, once that is another one than it began with.
  code_version integer,

  status text not null default 'pending',
  -- Who executes it. Every claim mints an epoch; a write under an older one changes nothing.
  epoch bigint not null default 0,
  worker_id bigint,
  -- Of a claim over HTTP: its epoch, and a hash of its secret and its credential.
  claim_proof text,
  -- Workers that it lost since it last continued.
  lost_claims integer not null default 0,
  -- Rises with each change: an action that names the revision it saw is refused on a later one.
  revision bigint not null default 0,
  -- The repair generation: 1, and one more for each rerun.
  generation integer not null default 1,
  priority smallint not null default 0,

  -- When a worker is to claim it; null: at once, or not by time.
  due_at timestamptz(6),
  deadline_at timestamptz(6),
  waiting_kind text,
  waiting_step text,
  waiting_since timestamptz(6),
  -- What it waits for came about while a worker had it: it does not rest before the code has looked again.
  woken_at timestamptz(6),
  -- Why it needs attention, and the step at which it failed.
  attention text,
  failed_step text,

  -- What operators asked for. A running run comes to rest first; a paused one keeps the request.
  cancel_requested_at timestamptz(6),
  pause_requested_at timestamptz(6),
  -- The run whose pause holds this one: itself, or the ancestor that was paused with its children. Its resume resumes them all.
  pause_root uuid,
  -- Of a paused run that has not begun: when it was due.
  held_due_at timestamptz(6),

  input text not null,
  -- False for runs that SQL started: the worker checks their input against the workflow's schema.
  input_checked boolean not null default true,
  output text,
  error text,
  tags jsonb,

  idempotency_key text,
  -- Who started it, where that was over HTTP with a key: the same sender may repeat the start, others are refused.
  key_owner text,
  -- The event that started it. The rest of the idempotency key is the event's id.
  begun_by_event text,
  schedule text,
  scheduled_at timestamptz(6),

  -- Of a child. Parent, step and key generation identify it: a step that is recorded again starts no second one.
  parent_run_id uuid,
  parent_step text,
  parent_key_generation integer,
  -- A cancel of the parent cancels this run, too.
  ends_with_parent boolean not null default false,
  -- The parent waits for this run's end; false once it was woken.
  tells_parent boolean not null default false,

  -- The queue within its workflow; null for workflows without limits.
  queue_key text,
  debounce_key text,

  created_at timestamptz(6) not null default clock_timestamp(),
  started_at timestamptz(6),
  finished_at timestamptz(6),

  constraint run_pkey primary key (id),
  constraint run_status check (status in
    ('pending', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'compensating', 'compensated', 'paused')),
  constraint run_waiting_kind check (waiting_kind in ('timer', 'retry', 'event', 'child', 'slot', 'approval', 'operator')),
  constraint run_attention check (attention in ('failed', 'outcome_unknown', 'compensation_owed', 'approval')),
  -- A running run has an owner; others have none. Between two claims, a compensating run has none either.
  constraint run_owner check (case status when 'running' then worker_id is not null
    when 'compensating' then true else worker_id is null end),
  -- A waiting run says what it waits for: none is forgotten in silence.
  constraint run_waiting check (case status when 'waiting' then waiting_kind is not null
    when 'compensating' then true else waiting_kind is null end),
  constraint run_slot check (waiting_kind <> 'slot' or queue_key is not null),
  constraint run_paused check (status <> 'paused' or (pause_requested_at is not null and due_at is null)),
  constraint run_held check (held_due_at is null or status = 'paused'),
  constraint run_pause_root check (pause_root is null or pause_requested_at is not null),
  constraint run_failed check (status <> 'failed' or (error is not null and attention is not null)),
  constraint run_finished check ((finished_at is not null) = (status in ('completed', 'failed', 'cancelled', 'compensated'))),
  -- Nobody works on an ended run, and no timer brings it back.
  constraint run_ended check (status not in ('completed', 'failed', 'cancelled', 'compensated')
    or (due_at is null and worker_id is null)),
  constraint run_child check ((parent_run_id is null) = (parent_step is null)
    and (parent_run_id is null) = (parent_key_generation is null)
    and (parent_run_id is not null or not (ends_with_parent or tells_parent))),
  constraint run_begun_by_event
    check (begun_by_event is null or starts_with(idempotency_key, 'event:' || begun_by_event || ':'))
) with (fillfactor = 90);

-- Started once for each key, once by each step of a parent, and once for each debounce key until the run is claimed or an
-- operator acts on it, which mints an epoch.
create unique index run_idempotency_key on handrail.run (idempotency_key, workflow) where idempotency_key is not null;
create unique index run_child_of_step on handrail.run (parent_run_id, parent_step, parent_key_generation)
  where parent_run_id is not null;
create unique index run_debounce on handrail.run (workflow, debounce_key) where debounce_key is not null and epoch = 0;

-- Lists and counts, newest first. Completed and pending runs are found by the primary key and by the claims' indexes; delayed
-- starts have their own, since a list of pending runs must not read every sleep.
create index run_delayed on handrail.run (id) where status = 'pending' and due_at is not null;
create index run_by_workflow on handrail.run (workflow, id);
create index run_by_failed_step on handrail.run (failed_step, id) where failed_step is not null;
create index run_by_waiting_step on handrail.run (waiting_step, id) where waiting_step is not null;
create index run_with_error on handrail.run (id) where error is not null;
create index run_by_workflow_status on handrail.run (workflow, status, id)
  where status in ('failed', 'cancelled', 'compensating', 'compensated', 'paused');
-- By end: what ended badly, and everything, for the charts (14) and for retention.
create index run_by_end on handrail.run (finished_at, id) where status in ('failed', 'cancelled', 'compensated');
create index run_ended on handrail.run (finished_at) where finished_at is not null;
-- The workflow is in these so that Handrail's own workflows can be left out without a look at each run.
create index run_in_status on handrail.run (status, id, workflow)
  where status in ('failed', 'waiting', 'cancelled', 'compensating', 'compensated', 'paused');
create index run_in_attention on handrail.run (attention, id, workflow) where attention is not null;

-- Children, newest first; ends that the parent was not woken for yet, which is nearly always empty; children that need attention,
-- among many; and those that keep a parent waiting.
create index run_children on handrail.run (parent_run_id, id) where parent_run_id is not null;
create index run_tells_parent on handrail.run (parent_run_id) where tells_parent and finished_at is not null;
create index run_troubled_children on handrail.run (parent_run_id, id)
  where parent_run_id is not null and (attention is not null or status = 'paused');
create index run_open_children on handrail.run (parent_run_id, id) where parent_run_id is not null and finished_at is null;
-- Runs of a schedule that have not ended, for its overlap policy.
create index run_of_schedule on handrail.run (schedule, id)
  where schedule is not null and status in ('pending', 'running', 'waiting', 'paused', 'compensating');

-- The runs of a worker, and chosen versions that no worker may have.
create index run_owner on handrail.run (worker_id) where worker_id is not null;
create index run_chosen on handrail.run (workflow, chosen_version) where chosen_version is not null and finished_at is null;

-- Queues (6): timers of runs that enter their queue when they are due; and what the limits count, which are slots that are taken, and
-- what began lately, of one key and of all.
create index run_due_queued on handrail.run (workflow, due_at) where due_at is not null and queue_key is not null;
create index run_slot on handrail.run (workflow, queue_key) where worker_id is not null and queue_key is not null;
create index run_begun on handrail.run (workflow, queue_key, started_at) where queue_key is not null and started_at is not null;
create index run_begun_of_workflow on handrail.run (workflow, started_at) where queue_key is not null and started_at is not null;

-- Claims. They walk a version at a time, in claim order, and never sort a backlog. The expression is the version that a run
-- needs: a chosen one, as a negative number, exactly; else that one or a newer one that fits (docs/decisions/017).
create index run_ready_new on handrail.run (workflow, (coalesce(-chosen_version, code_version, version)), priority desc, id)
  where status = 'pending' and due_at is null and queue_key is null and started_at is null;
create index run_ready_resumed on handrail.run (workflow, (coalesce(-chosen_version, code_version, version)), priority desc, id)
  where status = 'pending' and due_at is null and queue_key is null and started_at is not null;
create index run_due_new on handrail.run (workflow, (coalesce(-chosen_version, code_version, version)), due_at)
  where due_at is not null and queue_key is null and started_at is null;
create index run_due_begun on handrail.run (workflow, (coalesce(-chosen_version, code_version, version)), due_at)
  where due_at is not null and queue_key is null and started_at is not null;
-- The same in queues. A rate counts runs that begin, so they are apart from those that continue.
create index run_queued_new on handrail.run
  (workflow, queue_key, (coalesce(-chosen_version, code_version, version)), priority desc, id)
  where queue_key is not null and status = 'pending' and due_at is null and started_at is null;
create index run_queued_begun on handrail.run
  (workflow, queue_key, (coalesce(-chosen_version, code_version, version)), priority desc, id)
  where queue_key is not null and (status = 'pending' or waiting_kind = 'slot') and due_at is null and started_at is not null;

-- The tags of runs, to find runs by them.
create table handrail.run_tag (
  name text not null,
  value text not null,
  run_id uuid not null,
  constraint run_tag_pkey primary key (name, value, run_id)
);
create index run_tag_value on handrail.run_tag (value, run_id);

-- A run that an operator started in place of another one. It is deleted with the new run; the old one may be deleted before.
create table handrail.new_run (
  run_id uuid not null,
  from_run_id uuid not null,
  constraint new_run_pkey primary key (run_id),
  constraint new_run_other check (run_id <> from_run_id)
);
create index new_run_from on handrail.new_run (from_run_id, run_id);

-- Another version of the code than before claimed the run: with it, every attempt is known by its version.
create table handrail.version_change (
  run_id uuid not null,
  -- Of the claim that began with it.
  epoch bigint not null,
  generation integer not null,
  version integer not null,
  at timestamptz(6) not null default clock_timestamp(),
  constraint version_change_pkey primary key (run_id, epoch)
);

-- The code no longer has the shape that the run was executed with. One row for each repair generation and version.
create table handrail.drift (
  run_id uuid not null,
  generation integer not null,
  version integer not null,
  -- Finished steps that the code did not reach: the first 100, and how many.
  gone text[] not null,
  gone_count integer not null,
  -- The step that it reached instead; null: its end.
  next text,
  stopped boolean not null,
  at timestamptz(6) not null default clock_timestamp(),
  constraint drift_pkey primary key (run_id, generation, version)
);


-- 2. Steps ------------------------------------------------------------------------------------------------------------------

-- The checkpoint of a step: replay hands its outcome out again instead of executing the step. A repair generation adds rows.
create table handrail.step (
  run_id uuid not null,
  name text not null,
  generation integer not null,
  kind text not null,
  effect text not null,
  status text not null,
  -- The order in which the steps began, and in which they ended.
  position integer not null,
  finished_position integer,
  attempt integer not null,
  failures integer not null default 0,
  max_attempts integer not null,
  -- Part of the step's idempotency key: a rerun with fresh keys raises it.
  key_generation integer not null,
  output text,
  error text,
  -- The provider's own id of what happened.
  reference text,
  -- The step declares how to look up what happened to an attempt.
  can_ask boolean not null default false,
  -- The error of an attempt of this generation that may have had its effect and has no outcome.
  doubt text,
  worker_id bigint,
  started_at timestamptz(6) not null,
  finished_at timestamptz(6),
  next_attempt_at timestamptz(6),
  -- How it is compensated; null: it declares no compensation.
  compensation_mode text,
  instructions text,
  -- The generation that executes it again, and with which keys. Only an audited action sets them.
  superseded_by integer,
  next_key_generation integer,
  constraint step_pkey primary key (run_id, name, generation),
  constraint step_kind check (kind in ('step', 'transaction', 'sleep', 'event', 'approval', 'child')),
  constraint step_effect check (effect in ('pure', 'idempotent', 'once')),
  constraint step_status check (status in ('running', 'waiting', 'completed', 'failed', 'unknown', 'skipped')),
  constraint step_compensation_mode check (compensation_mode in ('automatic', 'manual')),
  constraint step_finished check ((finished_position is not null) = (status in ('completed', 'failed', 'skipped'))
    and (finished_at is null or status <> 'running')),
  constraint step_failed check (status <> 'failed' or error is not null),
  -- What an event, a person or another run ends needs no timer.
  constraint step_waiting check (case status
    when 'waiting' then next_attempt_at is not null or kind in ('event', 'approval', 'child')
    else next_attempt_at is null end),
  constraint step_superseded check ((superseded_by is null) = (next_key_generation is null))
);

-- Attempts that did not end in the step's kept outcome. The last attempt is the step's own row.
create table handrail.attempt (
  run_id uuid not null,
  step text not null,
  generation integer not null,
  number integer not null,
  status text not null,
  error text,
  worker_id bigint,
  started_at timestamptz(6) not null,
  finished_at timestamptz(6),
  constraint attempt_pkey primary key (run_id, step, generation, number),
  constraint attempt_status check (status in ('failed', 'unknown', 'interrupted'))
);

-- What the code logs.
create table handrail.log (
  run_id uuid not null,
  id bigint generated always as identity,
  -- A line has the same key in every replay, so that it is kept once.
  key text not null,
  during text not null,
  step text,
  attempt integer,
  message text not null,
  data text,
  at timestamptz(6) not null,
  constraint log_pkey primary key (run_id, id),
  constraint log_during check (during in ('code', 'body', 'undo')),
  constraint log_step check ((during = 'code') = (step is null) and (step is null) = (attempt is null))
);
create unique index log_key on handrail.log (run_id, key);

-- How far the code says that it is.
create table handrail.progress (
  run_id uuid not null,
  done double precision not null,
  total double precision not null,
  note text,
  at timestamptz(6) not null default clock_timestamp(),
  constraint progress_pkey primary key (run_id),
  constraint progress_range check (done >= 0 and total > 0 and done <= total)
);


-- 3. Compensations ----------------------------------------------------------------------------------------------------------

-- A compensation that a run owes, and how it ended. They are executed in reverse order of the steps' completion: `position`.
create table handrail.compensation (
  run_id uuid not null,
  step text not null,
  generation integer not null,
  mode text not null,
  status text not null default 'owed',
  position integer not null,
  attempt integer not null default 0,
  failures integer not null default 0,
  next_attempt_at timestamptz(6),
  error text,
  worker_id bigint,
  instructions text,
  -- Who recorded the end, 'worker' or a person; a person says why, and can give the provider's id and a link to the proof.
  by text,
  note text,
  reference text,
  evidence text,
  -- Who has taken it. The id is that of a person who signed in.
  assignee text,
  assignee_id uuid,
  assigned_by text,
  assigned_at timestamptz(6),
  owed_at timestamptz(6) not null default clock_timestamp(),
  started_at timestamptz(6),
  finished_at timestamptz(6),
  constraint compensation_pkey primary key (run_id, step, generation),
  constraint compensation_mode check (mode in ('automatic', 'manual')),
  constraint compensation_status check (status in ('owed', 'running', 'completed', 'failed', 'waived')),
  constraint compensation_finished check ((finished_at is not null) = (status in ('completed', 'waived'))),
  -- Nothing is waived without a name and a reason.
  constraint compensation_recorded check (status <> 'waived' or (by is not null and note is not null)),
  constraint compensation_assigned check ((assignee is null) = (assigned_at is null)
    and (assignee is null) = (assigned_by is null) and (assignee_id is null or assignee is not null)),
  -- The console shows it as a link: nothing but http.
  constraint compensation_evidence check (evidence ~* '^https?://')
);
create index compensation_open on handrail.compensation (owed_at, run_id) where status in ('owed', 'running', 'failed');
create index compensation_settled on handrail.compensation (finished_at desc, run_id) where status in ('completed', 'waived');
-- The lanes of the board, each longest owed first, and what somebody has taken and not finished.
create index compensation_failed on handrail.compensation (owed_at, run_id, step, generation) where status = 'failed';
create index compensation_by_hand on handrail.compensation (owed_at, run_id, step, generation)
  where status = 'owed' and mode = 'manual';
create index compensation_running on handrail.compensation (owed_at, run_id, step, generation) where status = 'running';
create index compensation_owed on handrail.compensation (owed_at, run_id, step, generation)
  where status = 'owed' and mode = 'automatic';
create index compensation_taken on handrail.compensation (assignee, owed_at, run_id, step, generation)
  where assignee is not null and status in ('owed', 'running', 'failed');


-- 4. Workers and claims -----------------------------------------------------------------------------------------------------

-- A process that executes runs, one row for each registration. Claims lock this row, so what holds for the worker's claims is
-- kept here, too.
create table handrail.worker (
  id bigint generated always as identity,
  name text not null,
  workflows text[] not null,
  -- The versions that it has of each, such as {"order-fulfilment": [1, 2]}.
  versions jsonb not null default '{}',
  -- The schedules that its code defines: it starts the runs of those alone.
  schedules text[] not null default array[]::text[],
  -- The keys with which it decrypts payloads.
  payload_keys text[] not null default '{}',
  concurrency integer not null,
  running integer not null default 0,
  -- Copies of closed_intake: all of it, and what holds 'all'. Who closes an intake locks this row, so that a claim is before that or
  -- sees it.
  closed_intakes text[] not null default '{}',
  held_workflows text[] not null default '{}',
  -- The process, where it can be known: a worker on the same machine notices that it has died.
  host text,
  pid integer,
  process_start bigint,
  -- Of a worker in another language, which works over HTTP: how far a heartbeat extends its lease, and whose registration it
  -- is, the id of a token, 'bootstrap' or 'anybody'.
  language text,
  lease_ms integer,
  credential text,
  started_at timestamptz(6) not null default clock_timestamp(),
  heartbeat_at timestamptz(6) not null default clock_timestamp(),
  lease_expires_at timestamptz(6) not null,
  -- It gave itself up because its lease was gone: the next one on the machine begins with less.
  lease_lost_at timestamptz(6),
  stopping_at timestamptz(6),
  stopped_at timestamptz(6),
  constraint worker_pkey primary key (id),
  constraint worker_process check (num_nulls(host, pid, process_start) in (0, 3)),
  constraint worker_pid check (pid > 0),
  constraint worker_remote check (num_nulls(language, lease_ms) in (0, 2)),
  constraint worker_lease_ms check (lease_ms between 1000 and 600000)
);
-- Workers that may be silent, and versions that some worker had a short while ago.
create index worker_lease on handrail.worker (lease_expires_at) where stopped_at is null;
create index worker_stopped on handrail.worker (stopped_at) where stopped_at is not null;

-- A claim whose worker fell silent: what it executed after its last record is unknown.
create table handrail.lost_claim (
  run_id uuid not null,
  epoch bigint not null,
  worker_id bigint not null,
  lost_at timestamptz(6) not null default clock_timestamp(),
  -- How many runs were as likely to have ended the worker as this one; null: others were likelier.
  suspects integer,
  constraint lost_claim_pkey primary key (run_id, epoch)
);
create index lost_claim_lost_at on handrail.lost_claim (lost_at);
create index lost_claim_of_worker on handrail.lost_claim (worker_id);

-- Runs that were lost and have not continued since. One of them may be what ends its workers, so they come back in groups
-- (docs/decisions/015). A row is deleted once its run has continued.
create table handrail.suspect (
  run_id uuid not null,
  -- The worker that it was lost with last.
  worker_id bigint not null,
  -- Losses in a row.
  losses integer not null,
  -- How many runs, itself among them, are as likely to have ended the worker.
  suspects integer not null,
  lost_at timestamptz(6) not null default clock_timestamp(),
  -- When workers were allowed to claim it again; null: its turn has not come.
  turn_at timestamptz(6),
  constraint suspect_pkey primary key (run_id),
  constraint suspect_counts check (losses > 0 and suspects > 0)
);

-- Workflows whose new runs are paused: starts are accepted and kept, and none is claimed.
create table handrail.closed_intake (
  workflow text not null,
  -- 'new': runs that have begun continue. 'all': they stop before their next step.
  holds text not null,
  closed_by text not null,
  reason text not null,
  closed_at timestamptz(6) not null default clock_timestamp(),
  constraint closed_intake_pkey primary key (workflow),
  constraint closed_intake_holds check (holds in ('new', 'all'))
);


-- 5. Events -----------------------------------------------------------------------------------------------------------------

-- An event that was sent: to a run, to a business key, or to subscribers alone.
create table handrail.event (
  -- The order in which events arrived.
  seq bigint generated always as identity,
  name text not null,
  -- The sender's id: an event with the same one counts once.
  id text not null,
  run_id uuid,
  key text,
  payload text not null,
  sent_by text,
  sent_at timestamptz(6) not null default clock_timestamp(),
  -- The step that took it.
  taken_by uuid,
  taken_step text,
  taken_generation integer,
  taken_at timestamptz(6),
  -- How often it was sent again with its id, and when last.
  repeats integer not null default 0,
  repeated_at timestamptz(6),
  constraint event_pkey primary key (seq),
  constraint event_address check (run_id is null or key is null),
  -- Taken as a whole, by one step, or not at all.
  constraint event_taken check (num_nonnulls(taken_by, taken_step, taken_generation, taken_at) in (0, 4)),
  constraint event_repeated check ((repeats > 0) = (repeated_at is not null))
);
create unique index event_id_of_run on handrail.event (run_id, name, id) where run_id is not null;
create unique index event_id on handrail.event (name, id) where run_id is null;
create index event_for_run on handrail.event (run_id, name, seq) where run_id is not null and taken_by is null;
create index event_for_key on handrail.event (name, key, seq) where key is not null and taken_by is null;
create index event_taken_by on handrail.event (taken_by) where taken_by is not null;
-- For retention. Events of a run are deleted with it.
create index event_unclaimed on handrail.event (sent_at) where run_id is null and taken_by is null;

-- The row of a business key that its senders and waiters lock before they look: the second one sees the first.
create table handrail.event_key (
  name text not null,
  key text not null,
  used_at timestamptz(6) not null default clock_timestamp(),
  constraint event_key_pkey primary key (name, key)
);
create index event_key_used_at on handrail.event_key (used_at);

-- A step that waits for an event. With a question it is an approval.
create table handrail.event_wait (
  run_id uuid not null,
  step text not null,
  generation integer not null,
  -- The order in which waits began.
  seq bigint generated always as identity,
  event text not null,
  key text,
  -- Of an approval: what is asked, the possible answers, and what to show beside it.
  question text,
  choices jsonb,
  data text,
  opened_at timestamptz(6) not null default clock_timestamp(),
  closed_at timestamptz(6),
  constraint event_wait_pkey primary key (run_id, step, generation),
  constraint event_wait_question check (num_nonnulls(question, choices, data) in (0, 3))
);
create index event_wait_for_key on handrail.event_wait (event, key, seq) where key is not null and closed_at is null;
create index event_wait_question on handrail.event_wait (seq) where question is not null and closed_at is null;

-- The event that starts runs of a workflow, as its newest version says. Null: none; the row stays, so that a worker of an older
-- version does not bring its own back.
create table handrail.subscription (
  workflow text not null,
  version integer not null,
  event text,
  constraint subscription_pkey primary key (workflow)
);
create index subscription_event on handrail.subscription (event);


-- 6. Queues -----------------------------------------------------------------------------------------------------------------

-- Runs of workflows with limits or a window wait in queues, which claims lock to count
-- (docs/decisions/006-a-slot-is-a-run-that-somebody-works-on.md). A queue with runs in it has one row. A claim leaves it ready, closed
-- until an instant, or closed until a note arrives; an empty one is deleted.
create table handrail.queue_lane (
  workflow text not null,
  key text not null,
  ready boolean not null default true,
  -- Of the next run. Runs that continue come before all others.
  priority smallint not null default 0,
  -- Queues of one priority take turns.
  turn timestamptz(6) not null default clock_timestamp(),
  opens_at timestamptz(6),
  constraint queue_lane_pkey primary key (workflow, key),
  constraint queue_lane_opening check (not ready or opens_at is null)
);
create index queue_lane_ready on handrail.queue_lane (workflow, priority desc, turn) where ready;
create index queue_lane_opening on handrail.queue_lane (workflow, opens_at) where opens_at is not null;

-- The same for a limit over all keys of a workflow. It is locked before the queues.
create table handrail.queue_total (
  workflow text not null,
  -- Until a note arrives.
  "full" boolean not null default false,
  -- Before this instant, only runs that have begun continue.
  starts_at timestamptz(6),
  constraint queue_total_pkey primary key (workflow)
);

-- An operator's limits in place of the code's; null: the code's.
create table handrail.queue_limit (
  workflow text not null,
  concurrency integer,
  rate_limit integer,
  rate_per_ms bigint,
  total integer,
  total_rate_limit integer,
  total_rate_per_ms bigint,
  window_from text,
  window_to text,
  window_zone text,
  set_by text not null,
  set_at timestamptz(6) not null default clock_timestamp(),
  constraint queue_limit_pkey primary key (workflow),
  constraint queue_limit_concurrency check (concurrency > 0),
  constraint queue_limit_rate check ((rate_limit is null) = (rate_per_ms is null) and rate_limit > 0 and rate_per_ms > 0),
  constraint queue_limit_total check (total > 0),
  constraint queue_limit_total_rate check (
    (total_rate_limit is null) = (total_rate_per_ms is null) and total_rate_limit > 0 and total_rate_per_ms > 0),
  constraint queue_limit_window check (
    (window_from is null) = (window_to is null) and (window_from is null) = (window_zone is null))
);

-- A run entered a queue, or left a slot of it. Rows are only inserted and deleted: the writer waits for nobody.
create table handrail.queue_note (
  id bigint generated always as identity,
  workflow text not null,
  key text not null,
  constraint queue_note_pkey primary key (id)
);
create index queue_note_workflow on handrail.queue_note (workflow, id);

-- Triggers write the notes: runs enter queues and leave slots in many statements, and after a forgotten note a run would wait
-- for ever. A run without a queue costs only the evaluation of the conditions.
create function handrail.note_queue() returns trigger language plpgsql as $$
begin
  insert into handrail.queue_note (workflow, key) values (new.workflow, new.queue_key);
  return null;
end $$;
create trigger queue_entered after insert on handrail.run for each row
  when (new.queue_key is not null and new.due_at is null and new.worker_id is null and new.status = 'pending')
  execute function handrail.note_queue();
create trigger queue_moved after update on handrail.run for each row
  when (new.queue_key is not null and new.worker_id is null and (
    old.worker_id is not null
    or (new.due_at is null and (new.status = 'pending' or new.waiting_kind = 'slot')
      and (old.due_at is not null or old.queue_key is distinct from new.queue_key
        or not (old.status = 'pending' or coalesce(old.waiting_kind = 'slot', false))))))
  execute function handrail.note_queue();


-- 7. Schedules --------------------------------------------------------------------------------------------------------------

-- A schedule as the code defines it, and what operators changed of it.
create table handrail.schedule (
  name text not null,
  workflow text not null,
  title text not null,
  definition jsonb not null,
  -- Fields of the definition that an operator has set.
  override jsonb,
  paused_at timestamptz(6),
  -- The first scheduled time that no worker has handled; null while paused.
  nominal_at timestamptz(6),
  -- When a worker has to look: then, or sooner when a queued time waits for the end of a run.
  look_at timestamptz(6),
  revision bigint not null default 0,
  created_at timestamptz(6) not null default clock_timestamp(),
  seen_at timestamptz(6) not null default clock_timestamp(),
  -- Rows of handrail.firing before this instant may have been deleted.
  forgotten_until timestamptz(6),
  constraint schedule_pkey primary key (name),
  constraint schedule_paused check ((paused_at is null) = (nominal_at is not null) and (paused_at is null) = (look_at is not null))
);
create index schedule_look on handrail.schedule (look_at) where look_at is not null;

-- What happened at a scheduled time. A run is inserted together with its row here, whose key it can be inserted with only once.
create table handrail.firing (
  schedule text not null,
  nominal_at timestamptz(6) not null,
  status text not null,
  cause text not null,
  reason text,
  run_id uuid,
  fired_at timestamptz(6) not null default clock_timestamp(),
  constraint firing_pkey primary key (schedule, nominal_at),
  constraint firing_status check (status in ('started', 'queued', 'skipped', 'missed', 'refused')),
  constraint firing_cause check (cause in ('time', 'person', 'backfill')),
  constraint firing_started check ((run_id is not null) = (status = 'started')),
  constraint firing_explained check (status in ('started', 'queued') or reason is not null)
);
-- A schedule has one time that waits for the run before it to end.
create unique index firing_queued on handrail.firing (schedule) where status = 'queued';
create unique index firing_run on handrail.firing (run_id) where run_id is not null;
-- For retention: times without a run. The others are deleted with their runs.
create index firing_unstarted on handrail.firing (fired_at) where run_id is null;


-- 8. SQL for triggers and apps ----------------------------------------------------------------------------------------------
-- Runs and events from the transaction of an app in any language: docs/sql.md.

-- A UUIDv7 by the database's clock, also before PostgreSQL 18.
create function handrail.new_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- The text of a value, up to the size that the codec accepts.
create function handrail.checked_value(value jsonb, what text) returns text language plpgsql immutable as $$
begin
  if octet_length(value::text) > 1048576 then
    raise exception 'The % takes % bytes; the cap is 1048576.', what, octet_length(value::text) using errcode = '22023';
  end if;
  return coalesce(value::text, 'null');
end $$;

-- The queue of a run that no code has looked at: of a workflow with limits, the one for all runs. There it also waits when only
-- the code can compute its key.
create function handrail.queue_of(of_workflow text, of_version integer) returns text language plpgsql stable as $$
begin
  return (select '' from handrail.workflow
    where workflow.name = of_workflow and workflow.version = of_version and workflow.limits is not null);
end $$;

-- Workers hear of starts and events by SQL when the transaction commits. A NOTIFY makes commits of the whole server wait for each
-- other: who starts thousands of runs a second sets handrail.notes to off, for a transaction, a session or a role.
create function handrail.note_work() returns void language plpgsql as $$
begin
  if coalesce(current_setting('handrail.notes', true), '') <> 'off' then
    perform pg_notify('handrail_work', '');
  end if;
end $$;

-- Makes runs look for an event that they wait for: at once by their timer, or, while a worker has them, before they rest.
create function handrail.wake_for_event(of_runs uuid[], event_name text, event_key text) returns void language plpgsql as $$
begin
  -- In one order, so that two senders cannot wait for each other.
  perform from handrail.run where run.id = any (of_runs) order by run.id for no key update;
  update handrail.run set
    due_at = case run.status when 'waiting' then least(run.due_at, clock_timestamp()) end,
    woken_at = case run.status when 'running' then clock_timestamp() end,
    revision = run.revision + 1
  -- A run that waits for a slot of its queue looks when it gets one.
  where run.id = any (of_runs) and run.status in ('waiting', 'running') and run.waiting_kind is distinct from 'slot' and exists (
    select from handrail.event_wait as open
    join handrail.step on step.run_id = open.run_id and step.name = open.step and step.generation = open.generation
    where open.run_id = run.id and open.event = event_name and open.closed_at is null
      and (event_key is null or open.key = event_key)
      and step.status = 'waiting' and step.superseded_by is null);
end $$;

-- Counts an event that was sent again. It never blocks: an event whose row is locked at this moment is not counted.
create function handrail.note_repeat(event_name text, event_id text, to_run uuid) returns void language plpgsql as $$
declare
  known bigint;
begin
  if to_run is null then
    select event.seq into known from handrail.event
    where event.name = event_name and event.id = event_id and event.run_id is null for no key update skip locked;
  else
    select event.seq into known from handrail.event
    where event.name = event_name and event.id = event_id and event.run_id = to_run for no key update skip locked;
  end if;
  update handrail.event set repeats = event.repeats + 1, repeated_at = clock_timestamp() where event.seq = known;
end $$;

-- Keeps an event, wakes the runs that wait for it, and starts a run of every subscriber, in the caller's transaction.
-- Gives 'sent', 'known' (this id counted before; only the repetition is noted), 'unknown_run' or 'ended'.
-- Races with: waiters that look for events at this instant. Both lock the run's row, or the key's, before they look.
create function handrail.put_event(
  event_name text, event_id text, to_run uuid, to_key text, content text, sender text
) returns text language plpgsql as $$
declare
  target_status text;
begin
  if to_run is not null then
    select run.status into target_status from handrail.run where run.id = to_run for no key update;
    if not found then return 'unknown_run'; end if;
    if exists (select from handrail.event where event.run_id = to_run and event.name = event_name and event.id = event_id) then
      perform handrail.note_repeat(event_name, event_id, to_run);
      return 'known';
    end if;
    if target_status not in ('pending', 'running', 'waiting', 'paused') then return 'ended'; end if;
    insert into handrail.event (name, id, run_id, payload, sent_by)
      values (event_name, event_id, to_run, content, sender);
    perform handrail.wake_for_event(array[to_run], event_name, null);
    return 'sent';
  end if;
  if to_key is not null then
    insert into handrail.event_key (name, key) values (event_name, to_key)
      on conflict (name, key) do update set used_at = clock_timestamp();
  end if;
  insert into handrail.event (name, id, key, payload, sent_by)
    values (event_name, event_id, to_key, content, sender) on conflict do nothing;
  if not found then
    perform handrail.note_repeat(event_name, event_id, null);
    return 'known';
  end if;
  if to_key is not null then
    perform handrail.wake_for_event(array(
      select distinct open.run_id from handrail.event_wait as open
      where open.event = event_name and open.key = to_key and open.closed_at is null), event_name, to_key);
  end if;
  with started as (
    insert into handrail.run (id, workflow, version, input, input_checked, tags, queue_key, idempotency_key, begun_by_event)
    select handrail.new_id(), subscription.workflow, subscription.version, content, false,
      case when length(to_key) between 1 and 256
        then jsonb_build_object('eventKey', to_key) end,
      handrail.queue_of(subscription.workflow, subscription.version),
      'event:' || event_name || ':' || event_id, event_name
    from handrail.subscription where subscription.event = event_name
    on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
    returning id, tags
  )
  insert into handrail.run_tag (name, value, run_id)
  select tag.key, tag.value, started.id from started, jsonb_each_text(started.tags) as tag;
  return 'sent';
end $$;

-- Starts a run of the newest version that a worker has registered, once per idempotency key; gives its id.
create function handrail.start_run(
  workflow text, input jsonb, idempotency_key text default null, run_at timestamptz default null,
  priority integer default 0, tags jsonb default '{}'
) returns uuid language plpgsql as $$
#variable_conflict use_column
declare
  newest integer := (select max(known.version) from handrail.workflow as known where known.name = start_run.workflow);
  content text := handrail.checked_value(start_run.input, 'input');
  started uuid;
  earlier text;
begin
  if newest is null then
    raise exception 'There is no workflow named "%": no worker has told of it yet.', start_run.workflow using errcode = '22023';
  elsif start_run.priority is null or abs(start_run.priority) > 100 then
    raise exception 'A priority is a whole number from -100 to 100.' using errcode = '22023';
  elsif length(start_run.idempotency_key) not between 1 and 255 then
    raise exception 'An idempotency key has 1 to 255 characters.' using errcode = '22023';
  elsif jsonb_typeof(start_run.tags) <> 'object' or (select count(*) > 16 or coalesce(bool_or(
      jsonb_typeof(tag.value) <> 'string' or length(tag.key) not between 1 and 64
      or length(tag.value #>> '{}') not between 1 and 256), false) from jsonb_each(start_run.tags) as tag) then
    raise exception 'Tags are an object of 16 texts at most: names of 1 to 64 characters, texts of 1 to 256.' using errcode = '22023';
  end if;
  insert into handrail.run (id, workflow, version, input, input_checked, tags, idempotency_key, due_at, priority, queue_key)
  values (handrail.new_id(), start_run.workflow, newest, content, false, nullif(start_run.tags, '{}'),
    start_run.idempotency_key, case when start_run.run_at > clock_timestamp() then start_run.run_at end,
    start_run.priority, handrail.queue_of(start_run.workflow, newest))
  on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
  returning id into started;
  if started is not null then
    insert into handrail.run_tag (name, value, run_id)
      select tag.key, tag.value, started from jsonb_each_text(start_run.tags) as tag;
    if start_run.run_at is null or start_run.run_at <= clock_timestamp() then
      perform handrail.note_work();
    end if;
    return started;
  end if;
  select run.id, run.input into started, earlier from handrail.run
    where run.idempotency_key = start_run.idempotency_key and run.workflow = start_run.workflow;
  if earlier::jsonb is distinct from content::jsonb then
    raise exception 'The idempotency key "%" has started a run of "%" with another input.',
      start_run.idempotency_key, start_run.workflow using errcode = '23505';
  end if;
  return started;
end $$;

-- Sends an event to a run, to a business key, or to the workflows that begin with it, once per name and id; gives the id.
create function handrail.send_event(
  name text, payload jsonb, key text default null, run_id uuid default null, id text default null
) returns text language plpgsql as $$
declare
  given_id text := coalesce(send_event.id, handrail.new_id()::text);
  outcome text;
begin
  if send_event.name is null or send_event.name !~ '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$' then
    raise exception '"%" cannot name an event.', send_event.name using errcode = '22023';
  elsif send_event.run_id is not null and send_event.key is not null then
    raise exception 'An event is for a run or for a key, not for both.' using errcode = '22023';
  elsif length(send_event.key) not between 1 and 255 or length(given_id) not between 1 and 255 then
    raise exception 'A key or id of an event has 1 to 255 characters.' using errcode = '22023';
  end if;
  outcome := handrail.put_event(send_event.name, given_id, send_event.run_id, send_event.key,
    handrail.checked_value(send_event.payload, 'payload'), null);
  if outcome = 'unknown_run' then
    raise exception 'There is no run %.', send_event.run_id using errcode = '22023';
  elsif outcome = 'ended' then
    raise exception 'Run % takes no events any more.', send_event.run_id using errcode = '22023';
  end if;
  if outcome = 'sent' then
    perform handrail.note_work();
  end if;
  return given_id;
end $$;


-- 9. Requests and audit log -------------------------------------------------------------------------------------------------

-- Requests that were answered: the same Idempotency-Key gets the same answer, and the action is carried out once.
create table handrail.request (
  key text not null,
  fingerprint text not null,
  status integer,
  body jsonb,
  created_at timestamptz(6) not null default clock_timestamp(),
  constraint request_pkey primary key (key)
);
create index request_created_at on handrail.request (created_at);

-- What people and programs did, and what they were refused. Rows form a chain of hashes (docs/audit.md).
create table handrail.audit (
  id bigint generated always as identity,
  at timestamptz(6) not null default clock_timestamp(),
  -- Who, through what.
  actor text not null,
  actor_kind text not null default 'person',
  credential_id text,
  address text,
  user_agent text,
  request_id text,
  -- The sender's Idempotency-Key. Other senders and other actions may have the same one.
  request_key text,
  -- What, to which run, schedule or workflow, and why.
  act text not null,
  run_id uuid,
  step text,
  schedule text,
  workflow text,
  plan_id uuid,
  reason text not null,
  before jsonb not null,
  after jsonb not null,
  result text not null default 'done',
  code text,
  -- The place in the chain.
  seq bigint,
  prev_hash bytea,
  hash bytea,
  key_id text,
  constraint audit_pkey primary key (id),
  constraint audit_actor_kind check (actor_kind in ('person', 'token', 'system')),
  constraint audit_result check (result in ('done', 'denied', 'failed') and (result = 'done') = (code is null)),
  constraint audit_chained check (seq is not null and key_id is not null and length(hash) = 32 and length(prev_hash) = 32)
);
create index audit_run on handrail.audit (run_id, id);
create index audit_workflow on handrail.audit (workflow, id) where workflow is not null;
create index audit_schedule on handrail.audit (schedule, id) where schedule is not null;
create unique index audit_seq on handrail.audit (seq);
create index audit_actor on handrail.audit (actor, id);
create index audit_act on handrail.audit (act, id);
create index audit_at on handrail.audit (at);
create index audit_refused on handrail.audit (id) where result <> 'done';
-- Rows that are not in the chain: there are none, unless somebody has removed the CHECK.
create index audit_unchained on handrail.audit (id) where seq is null;
create index audit_request_key on handrail.audit (request_key) where request_key is not null;

-- The end of the chain: one row. Every action locks it, last of all locks.
create table handrail.audit_chain (
  id boolean not null default true,
  seq bigint not null,
  hash bytea not null,
  -- What the first row follows.
  genesis bytea not null,
  constraint audit_chain_pkey primary key (id),
  constraint audit_chain_one check (id),
  constraint audit_chain_hash check (length(hash) = 32 and length(genesis) = 32)
);

-- A digest of the rows that are not in the chain. The chain begins with that of no rows; `npm run audit -- verify` compares, so
-- that a row outside of it is found.
create function handrail.audit_genesis() returns bytea language sql stable as $$
  select sha256(convert_to(coalesce(string_agg(encode(sha256(convert_to(concat_ws(E'\n',
      id::text, extract(epoch from at)::text, actor, act, coalesce(run_id::text, ''), coalesce(step, ''),
      coalesce(schedule, ''), coalesce(workflow, ''), reason, before::text, after::text,
      coalesce(request_key, '')), 'utf8')), 'hex'), '' order by id), ''), 'utf8'))
  from handrail.audit where seq is null
$$;
insert into handrail.audit_chain (seq, hash, genesis) select 0, genesis, genesis from handrail.audit_genesis() as genesis;

-- Not even the owner changes what was written without removing a trigger first, which `npm run doctor` reports.
create function handrail.audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'handrail.% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = '42501', hint = 'An audit that can be changed proves nothing. See docs/audit.md.';
end
$$;
create trigger audit_no_change before update or delete on handrail.audit
  for each row execute function handrail.audit_is_append_only();
create trigger audit_no_truncate before truncate on handrail.audit
  for each statement execute function handrail.audit_is_append_only();
create trigger audit_chain_no_delete before delete on handrail.audit_chain
  for each row execute function handrail.audit_is_append_only();
create trigger audit_chain_no_truncate before truncate on handrail.audit_chain
  for each statement execute function handrail.audit_is_append_only();
-- Also for a session that says it is a replica.
alter table handrail.audit enable always trigger audit_no_change;
alter table handrail.audit enable always trigger audit_no_truncate;
alter table handrail.audit_chain enable always trigger audit_chain_no_delete;
alter table handrail.audit_chain enable always trigger audit_chain_no_truncate;


-- 10. Access ----------------------------------------------------------------------------------------------------------------
-- No secret is kept: of passwords argon2id, of everything else SHA-256 (docs/access.md).

-- Who may sign in.
create table handrail.person (
  id uuid not null,
  name text not null,
  -- Null: signs in through a provider, or belongs to the demo.
  password_hash text,
  role text not null,
  -- May read masked payloads.
  payload_read boolean not null default false,
  -- Null: all.
  workflows text[],
  -- A person of the demo, whom anybody on its machine may choose to be.
  demo boolean not null default false,
  created_at timestamptz(6) not null default clock_timestamp(),
  disabled_at timestamptz(6),
  constraint person_pkey primary key (id),
  constraint person_role check (role in ('viewer', 'operator', 'admin')),
  constraint person_name_form check (name = lower(name) and length(name) between 1 and 100),
  constraint person_password check (password_hash like '$argon2id$%'),
  constraint person_demo_has_no_password check (not demo or password_hash is null)
);
create unique index person_name on handrail.person (name);

-- A person at a sign-in provider (OpenID Connect), who is known by issuer and subject alone.
create table handrail.person_identity (
  issuer text not null,
  subject text not null,
  person_id uuid not null,
  -- The provider's groups decide the role.
  by_groups boolean not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  constraint person_identity_pkey primary key (issuer, subject),
  constraint person_identity_person foreign key (person_id) references handrail.person (id) on delete cascade,
  constraint person_identity_length check (length(issuer) between 1 and 2000 and length(subject) between 1 and 255)
);
create unique index person_identity_of_person on handrail.person_identity (person_id);

-- A sign-in of a person, in one browser.
create table handrail.session (
  id uuid not null,
  token_hash bytea not null,
  person_id uuid not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  seen_at timestamptz(6) not null default clock_timestamp(),
  expires_at timestamptz(6) not null,
  revoked_at timestamptz(6),
  address text,
  user_agent text,
  constraint session_pkey primary key (id),
  constraint session_person foreign key (person_id) references handrail.person (id) on delete cascade,
  constraint session_hash check (length(token_hash) = 32)
);
create unique index session_token on handrail.session (token_hash);
create index session_of_person on handrail.session (person_id, id);

-- What programs bring.
create table handrail.token (
  id uuid not null,
  name text not null,
  token_hash bytea not null,
  scopes text[] not null,
  -- Null: all.
  workflows text[],
  created_at timestamptz(6) not null default clock_timestamp(),
  created_by text not null,
  expires_at timestamptz(6) not null,
  used_at timestamptz(6),
  revoked_at timestamptz(6),
  constraint token_pkey primary key (id),
  constraint token_hash_length check (length(token_hash) = 32),
  constraint token_scopes check (cardinality(scopes) > 0)
);
create unique index token_hash on handrail.token (token_hash);

-- A link that makes a person, once. One without a name makes the first person, an admin; only one such link is open.
create table handrail.invitation (
  id uuid not null,
  token_hash bytea not null,
  name text,
  role text not null,
  payload_read boolean not null default false,
  workflows text[],
  created_at timestamptz(6) not null default clock_timestamp(),
  created_by text not null,
  expires_at timestamptz(6) not null,
  used_at timestamptz(6),
  constraint invitation_pkey primary key (id),
  constraint invitation_role check (role in ('viewer', 'operator', 'admin')),
  constraint invitation_hash check (length(token_hash) = 32),
  constraint invitation_first check (name is not null or role = 'admin')
);
create unique index invitation_token on handrail.invitation (token_hash);
create unique index invitation_first_open on handrail.invitation (role) where name is null and used_at is null;

-- Failed sign-ins of an account or from an address. Each makes the next one wait longer.
create table handrail.sign_in_attempt (
  key text not null,
  failures int not null,
  last_at timestamptz(6) not null,
  blocked_until timestamptz(6) not null,
  constraint sign_in_attempt_pkey primary key (key)
);
create index sign_in_attempt_age on handrail.sign_in_attempt (last_at);

-- Sign-ins that are on the way to the provider and back. The id is the SHA-256 of a secret in the browser's cookie.
create table handrail.sign_in_flow (
  id bytea not null,
  issuer text not null,
  -- Where to go afterwards: a path of this console, never another site.
  next text not null,
  invitation_hash bytea,
  expires_at timestamptz(6) not null,
  constraint sign_in_flow_pkey primary key (id),
  constraint sign_in_flow_id check (length(id) = 32),
  constraint sign_in_flow_next check (next ~ '^/([^/]|$)' and length(next) <= 2000)
);
create index sign_in_flow_age on handrail.sign_in_flow (expires_at);


-- 11. Saved views -----------------------------------------------------------------------------------------------------------

-- A name for the filters, columns and order of the runs page.
create table handrail.saved_view (
  id uuid not null,
  name text not null,
  -- `person:…` or `token:…` with its id; `anybody` where nobody signs in.
  owner_id text not null,
  owner text not null,
  shared boolean not null,
  state jsonb not null,
  revision integer not null default 1,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  updated_by text not null,
  constraint saved_view_pkey primary key (id),
  constraint saved_view_name check (length(name) between 1 and 60 and name = btrim(name)),
  constraint saved_view_state check (jsonb_typeof(state) = 'object' and length(state::text) <= 16000),
  constraint saved_view_revision check (revision >= 1)
);
create unique index saved_view_of_owner on handrail.saved_view (owner_id, name);
create index saved_view_shared on handrail.saved_view (name) where shared;


-- 12. Plans and operations --------------------------------------------------------------------------------------------------

-- What an action would do to each of many runs. It changes none of them. Once it is complete it has a hash, which covers each run's
-- revision; from then on its items stay as they are.
create table handrail.plan (
  id uuid not null,
  act text not null,
  params jsonb not null,
  selection jsonb not null,
  -- Of its runs: who is limited to some workflows makes and executes plans for these alone.
  workflows text[] not null default '{}',
  made_by text not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  expires_at timestamptz(6) not null,
  hash text,
  totals jsonb,
  executed_at timestamptz(6),
  constraint plan_pkey primary key (id),
  constraint plan_act check (act in ('rerun', 'cancel', 'pause', 'resume', 'wake', 'settle',
    'compensate', 'mark_compensated', 'send_event', 'move', 'start_again')),
  constraint plan_whole check ((hash is null) = (totals is null)),
  constraint plan_hash check (hash ~ '^[0-9a-f]{64}$'),
  constraint plan_executed check (executed_at is null or hash is not null)
);
-- For retention: plans that expired.
create index plan_unused on handrail.plan (expires_at) where executed_at is null;

-- A run of a plan, with what would happen to it, or why nothing would.
create table handrail.plan_item (
  plan_id uuid not null,
  position integer not null,
  run_id uuid not null,
  workflow text not null,
  -- As the plan saw it: a run that has changed since is left alone.
  revision bigint not null,
  generation integer not null,
  included boolean not null,
  because text,
  detail jsonb not null,
  constraint plan_item_pkey primary key (plan_id, position),
  constraint plan_item_because check (included = (because is null)),
  constraint plan_item_position check (position > 0)
);
create unique index plan_item_run on handrail.plan_item (plan_id, run_id);
-- What an operation executes, in order.
create index plan_item_included on handrail.plan_item (plan_id, position) where included;

-- The approval of a plan by a second person, where the workflow asks for one (docs/four-eyes.md). Its history is in the audit log.
create table handrail.plan_approval (
  plan_id uuid not null,
  -- The plan as both have seen it.
  plan_hash text not null,
  status text not null default 'open',
  proposer_id uuid not null,
  proposer text not null,
  reason text not null,
  requested_at timestamptz(6) not null default clock_timestamp(),
  expires_at timestamptz(6) not null,
  approver_id uuid,
  approver text,
  note text,
  answered_at timestamptz(6),
  used_at timestamptz(6),
  constraint plan_approval_pkey primary key (plan_id),
  constraint plan_approval_plan foreign key (plan_id) references handrail.plan (id) on delete cascade,
  constraint plan_approval_hash check (plan_hash ~ '^[0-9a-f]{64}$'),
  constraint plan_approval_status check (status in ('open', 'approved', 'rejected', 'used')),
  -- Nobody approves their own proposal.
  constraint plan_approval_second_person check (approver_id <> proposer_id and approver <> proposer),
  constraint plan_approval_answered check ((status = 'open') = (answered_at is null)
    and (answered_at is null) = (approver_id is null) and (answered_at is null) = (approver is null)
    and (answered_at is null) = (note is null)),
  constraint plan_approval_used check ((status = 'used') = (used_at is not null))
);
-- What waits for an answer, or for its execution; longest first.
create index plan_approval_live on handrail.plan_approval (requested_at, plan_id) where status in ('open', 'approved');

-- The execution of a plan. Its counts rise in the transactions that execute the items, so nothing has to be counted.
create table handrail.operation (
  id uuid not null,
  plan_id uuid not null,
  -- The run of Handrail's own workflow that executes it; null: a plan of one run, executed in the request.
  run_id uuid,
  act text not null,
  params jsonb not null,
  workflows text[] not null default '{}',
  status text not null default 'running',
  by jsonb not null,
  reason text not null,
  rate_per_second integer not null,
  -- So many items first. The others follow when the runs of these are at rest and few failed.
  canary integer not null,
  canary_passed_at timestamptz(6),
  paused_because text,
  position integer not null default 0,
  -- Failures after this position count towards a pause; a resume sets it.
  judged_from integer not null default 0,
  total integer not null,
  done integer not null default 0,
  already integer not null default 0,
  not_eligible integer not null default 0,
  changed integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz(6) not null default clock_timestamp(),
  finished_at timestamptz(6),
  -- Past its retention: it is no longer shown, and is deleted in batches.
  forgotten_at timestamptz(6),
  constraint operation_pkey primary key (id),
  constraint operation_status check (status in ('running', 'paused', 'completed', 'aborted')),
  constraint operation_finished check ((status in ('completed', 'aborted')) = (finished_at is not null)),
  constraint operation_paused check ((status = 'paused') = (paused_because is not null)),
  constraint operation_driven check (run_id is not null or finished_at is not null),
  constraint operation_rate check (rate_per_second between 1 and 1000),
  constraint operation_canary check (canary between 0 and 1000),
  constraint operation_counts check (least(done, already, not_eligible, changed, failed, position) >= 0
    and done + already + not_eligible + changed + failed <= total)
) with (fillfactor = 50);
-- A plan is executed once.
create unique index operation_plan on handrail.operation (plan_id);
create unique index operation_run on handrail.operation (run_id);
create index operation_ended on handrail.operation (finished_at) where forgotten_at is null;
create index operation_forgotten on handrail.operation (finished_at) where forgotten_at is not null;

-- The outcome of an item, written in the transaction of the action itself.
create table handrail.operation_item (
  operation_id uuid not null,
  position integer not null,
  run_id uuid not null,
  outcome text not null,
  because text,
  at timestamptz(6) not null default clock_timestamp(),
  constraint operation_item_pkey primary key (operation_id, position),
  constraint operation_item_outcome check (outcome in ('done', 'already', 'not_eligible', 'changed', 'failed')),
  constraint operation_item_because check ((outcome = 'done') = (because is null))
);
-- What did not go as planned, among many that did.
create index operation_item_others on handrail.operation_item (operation_id, position) where outcome <> 'done';


-- 13. Problems --------------------------------------------------------------------------------------------------------------

-- The feed: a run began to need attention, or ceased to. A worker folds it into the tables below and deletes it. A run that fails
-- only inserts, so that a thousand runs that fail alike at once do not wait for each other.
create table handrail.trouble (
  seq bigserial not null,
  run_id uuid not null,
  at timestamptz(6) not null default clock_timestamp(),
  -- What began; null: the run no longer needs attention, or was deleted.
  kind text,
  workflow text,
  version integer,
  step text,
  error text,
  constraint trouble_pkey primary key (seq),
  constraint trouble_kind check (kind in ('failed', 'outcome_unknown', 'undo_failed')),
  constraint trouble_entered check ((kind is null) = (workflow is null) and (kind is null) = (version is null))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- One worker folds at a time: it locks this row.
create table handrail.problem_fold (
  one boolean not null default true,
  constraint problem_fold_pkey primary key (one),
  constraint problem_fold_one check (one)
);
insert into handrail.problem_fold default values;

-- Runs that failed alike: same workflow, same step, same error but for what differs from run to run.
create table handrail.problem (
  id uuid not null,
  kind text not null,
  workflow text not null,
  step text,
  error_name text not null,
  pattern text not null,
  status text not null default 'open',
  assignee text,
  -- Muted until an instant, or until so many failures are counted in all.
  muted_until timestamptz(6),
  muted_to_count bigint,
  resolved_at timestamptz(6),
  -- Failures of versions before this one do not open it again.
  resolved_in integer,
  came_back text,
  came_back_at timestamptz(6),
  failures bigint not null default 0,
  -- Of these: retries exhausted, and runs that had been repaired of it before.
  exhausted bigint not null default 0,
  returned bigint not null default 0,
  -- Runs that have it now.
  open_runs integer not null default 0,
  first_at timestamptz(6) not null,
  last_at timestamptz(6) not null,
  -- The last notification about it: the next one is not sent at once.
  told_at timestamptz(6),
  example_run_id uuid not null,
  example_step text,
  example_version integer not null,
  example_error text not null,
  -- Rises when a person or the fold changes it, not with each failure.
  revision bigint not null default 1,
  constraint problem_pkey primary key (id),
  constraint problem_kind check (kind in ('failed', 'outcome_unknown', 'undo_failed')),
  constraint problem_status check (status in ('open', 'muted', 'resolved')),
  constraint problem_muted check (status = 'muted' or (muted_until is null and muted_to_count is null)),
  constraint problem_resolved check ((status = 'resolved') = (resolved_at is not null)
    and (resolved_in is null or resolved_at is not null)),
  constraint problem_came_back check ((came_back is null) = (came_back_at is null) and came_back in ('resolved', 'rerun')),
  constraint problem_counts check (least(failures, exhausted, returned, open_runs) >= 0
    and exhausted <= failures and returned <= failures),
  constraint problem_times check (first_at <= last_at)
) with (fillfactor = 70);
create index problem_recent on handrail.problem (status, last_at desc, id desc);
create index problem_holding on handrail.problem (status, open_runs desc, id) where open_runs > 0;
create index problem_mute_ends on handrail.problem (muted_until) where muted_until is not null;
create index problem_quiet on handrail.problem (last_at) where open_runs = 0;

-- How a failure finds its problem. A later version of the rule adds rows to a problem that an earlier one began.
create table handrail.problem_fingerprint (
  workflow text not null,
  step text not null,
  kind text not null,
  rule smallint not null,
  fingerprint text not null,
  problem_id uuid not null,
  constraint problem_fingerprint_pkey primary key (workflow, step, kind, rule, fingerprint)
);
create index problem_fingerprint_problem on handrail.problem_fingerprint (problem_id);

-- The problem that a run has, or had last.
create table handrail.problem_run (
  run_id uuid not null,
  problem_id uuid not null,
  since timestamptz(6) not null,
  left_at timestamptz(6),
  constraint problem_run_pkey primary key (run_id)
) with (fillfactor = 80);
create index problem_run_held on handrail.problem_run (problem_id, run_id) where left_at is null;

-- Failures by the minute, kept for hours, and by the hour, kept for weeks.
create table handrail.problem_count (
  problem_id uuid not null,
  minutes smallint not null,
  at timestamptz(6) not null,
  failures integer not null,
  constraint problem_count_pkey primary key (problem_id, minutes, at),
  constraint problem_count_minutes check (minutes in (1, 60)),
  constraint problem_count_failures check (failures > 0)
);
create index problem_count_old on handrail.problem_count (minutes, at);

-- Failures by version of the code.
create table handrail.problem_version (
  problem_id uuid not null,
  version integer not null,
  failures bigint not null,
  first_at timestamptz(6) not null,
  last_at timestamptz(6) not null,
  constraint problem_version_pkey primary key (problem_id, version)
);

-- What people did to a problem and noted about it, and when it came back.
create table handrail.problem_history (
  problem_id uuid not null,
  id bigserial not null,
  at timestamptz(6) not null default clock_timestamp(),
  what text not null,
  -- Null: no person did it.
  by text,
  text text not null,
  constraint problem_history_pkey primary key (problem_id, id),
  constraint problem_history_what check (what in ('note', 'assign', 'mute', 'resolve', 'reopen', 'came_back', 'mute_ended'))
);

-- Triggers write the feed: many statements change what a run's attention is, and every number above would be wrong after one that
-- forgot it. A run that needs no attention costs only the evaluation of the conditions.
create function handrail.note_trouble() returns trigger language plpgsql as $$
declare
  at_step text := new.failed_step;
  why text := new.error;
  what text := 'failed';
begin
  if new.attention = 'outcome_unknown' then
    select name, coalesce(step.doubt, step.error) into at_step, why from handrail.step
      where run_id = new.id and status = 'unknown' and superseded_by is null order by position limit 1;
    what := 'outcome_unknown';
  elsif new.attention = 'compensation_owed' then
    select compensation.step, compensation.error into at_step, why from handrail.compensation
      where run_id = new.id and status = 'failed' order by position desc limit 1;
    -- A compensation that was manual from the beginning has not failed.
    what := case when found then 'undo_failed' end;
  elsif new.attention is distinct from 'failed' then
    what := null;
  end if;
  if what is null then
    insert into handrail.trouble (run_id) values (new.id);
  else
    insert into handrail.trouble (run_id, kind, workflow, version, step, error)
      values (new.id, what, new.workflow, new.version, at_step, why);
  end if;
  return null;
end $$;
create function handrail.note_deleted_trouble() returns trigger language plpgsql as $$
begin
  insert into handrail.trouble (run_id) values (old.id);
  return null;
end $$;
create trigger trouble_begun after insert on handrail.run for each row
  when (new.attention in ('failed', 'outcome_unknown', 'compensation_owed')) execute function handrail.note_trouble();
create trigger trouble_changed after update of attention on handrail.run for each row
  when (old.attention is distinct from new.attention
    and (old.attention in ('failed', 'outcome_unknown', 'compensation_owed')
      or new.attention in ('failed', 'outcome_unknown', 'compensation_owed')))
  execute function handrail.note_trouble();
create trigger trouble_deleted after delete on handrail.run for each row
  when (old.attention in ('failed', 'outcome_unknown', 'compensation_owed')) execute function handrail.note_deleted_trouble();


-- 14. Charts ----------------------------------------------------------------------------------------------------------------

-- How many runs of each version of a workflow began and ended, and how long they took, by the minute and by longer periods.
-- Workers count what was committed (lib/worker/duties/fold-rollups.ts, docs/decisions/009): a start or an end writes nothing for it.
create table handrail.run_rollup (
  -- The length of the period in minutes, and its beginning.
  minutes smallint not null,
  at timestamptz(6) not null,
  workflow text not null,
  -- Of an end, the version that claimed the run last; of a start, the version that it began with.
  version integer not null,
  started integer not null default 0,
  completed integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  compensated integer not null default 0,
  -- Attempts beyond the first, of the steps that these runs executed.
  retries integer not null default 0,
  -- Histograms (lib/engine/flow/histogram.ts): the buckets that are not empty, ascending, and the count of each.
  took_buckets smallint[] not null default '{}',
  took_counts integer[] not null default '{}',
  queued_buckets smallint[] not null default '{}',
  queued_counts integer[] not null default '{}',
  constraint run_rollup_pkey primary key (minutes, at, workflow, version),
  constraint run_rollup_minutes check (minutes in (1, 15, 60, 360)),
  constraint run_rollup_counts check (least(started, completed, failed, cancelled, compensated, retries) >= 0),
  constraint run_rollup_histograms check (cardinality(took_buckets) = cardinality(took_counts)
    and cardinality(queued_buckets) = cardinality(queued_counts))
) with (fillfactor = 70);

-- The same by step, in the period in which its run ended.
create table handrail.step_rollup (
  minutes smallint not null,
  at timestamptz(6) not null,
  workflow text not null,
  version integer not null,
  -- Without the number that a loop gives it; empty for the steps of a workflow that has too many names.
  step text not null,
  executions integer not null default 0,
  failures integer not null default 0,
  retries integer not null default 0,
  took_buckets smallint[] not null default '{}',
  took_counts integer[] not null default '{}',
  constraint step_rollup_pkey primary key (workflow, minutes, at, version, step),
  constraint step_rollup_minutes check (minutes in (1, 15, 60, 360)),
  constraint step_rollup_counts check (failures between 0 and executions and retries >= 0),
  constraint step_rollup_histograms check (cardinality(took_buckets) = cardinality(took_counts))
) with (fillfactor = 70);
create index step_rollup_old on handrail.step_rollup (minutes, at);

-- The steps of a workflow that are counted by name.
create table handrail.rollup_step (
  workflow text not null,
  step text not null,
  constraint rollup_step_pkey primary key (workflow, step)
);

-- How far the count is. One worker counts at a time: it locks this row.
create table handrail.rollup_fold (
  one boolean not null default true,
  -- Every end up to this one is counted, by its instant and then its run; and every start up to this id.
  ended_at timestamptz(6) not null default '-infinity',
  ended_id uuid not null default '00000000-0000-0000-0000-000000000000',
  started_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- No open transaction can still commit an end or a start before this instant.
  settled_at timestamptz(6) not null default '-infinity',
  -- The next such instant, and the transactions that have to end before.
  mark_at timestamptz(6),
  mark_held text[] not null default '{}',
  constraint rollup_fold_pkey primary key (one),
  constraint rollup_fold_one check (one)
);
insert into handrail.rollup_fold default values;

-- Ends that are no longer in the run's row because it was reopened: by a rerun, or by compensations of a completed run.
create table handrail.run_end (
  run_id uuid not null,
  at timestamptz(6) not null,
  workflow text not null,
  version integer not null,
  generation integer not null,
  status text not null,
  created_at timestamptz(6) not null,
  started_at timestamptz(6),
  constraint run_end_pkey primary key (run_id, at)
);
create index run_end_at on handrail.run_end (at, run_id);

-- A trigger writes it: several statements reopen runs.
create function handrail.keep_run_end() returns trigger language plpgsql as $$
begin
  insert into handrail.run_end (run_id, at, workflow, version, generation, status, created_at, started_at)
    values (old.id, old.finished_at, old.workflow, coalesce(old.code_version, old.version), old.generation,
      old.status, old.created_at, old.started_at)
    on conflict do nothing;
  return null;
end $$;
create trigger run_reopened after update of finished_at on handrail.run for each row
  when (old.finished_at is not null and new.finished_at is null) execute function handrail.keep_run_end();


-- 15. Notifications ---------------------------------------------------------------------------------------------------------

-- A webhook or mail addresses, and what is sent there.
create table handrail.destination (
  id uuid not null,
  name text not null,
  kind text not null,
  url text,
  addresses text[],
  events text[] not null,
  -- Null: all.
  workflows text[],
  per_minute integer not null,
  enabled boolean not null default true,
  -- Why it was disabled without a person.
  disabled_because text,
  -- Of a webhook: it signs the messages. Encrypted where there are payload keys. For a while after a rotation, the previous one signs, too.
  secret text,
  previous_secret text,
  previous_secret_until timestamptz(6),
  -- Nothing was delivered since.
  failing_since timestamptz(6),
  created_at timestamptz(6) not null default clock_timestamp(),
  created_by text not null,
  revision bigint not null default 1,
  constraint destination_pkey primary key (id),
  constraint destination_kind check (kind in ('webhook', 'email')),
  constraint destination_where check ((kind = 'webhook') = (url is not null) and (kind = 'webhook') = (secret is not null)
    and (kind = 'email') = (addresses is not null)),
  constraint destination_previous check ((previous_secret is null) = (previous_secret_until is null)),
  constraint destination_disabled check (disabled_because is null or not enabled),
  constraint destination_per_minute check (per_minute between 1 and 600)
);
create unique index destination_name on handrail.destination (name);

-- Something to notify people of, written in the transaction of the fact itself (docs/decisions/011). A worker makes deliveries of
-- it and deletes it.
create table handrail.notice (
  seq bigserial not null,
  kind text not null,
  at timestamptz(6) not null default clock_timestamp(),
  -- Later than `at` where the same problem was notified of a moment ago.
  due_at timestamptz(6) not null default clock_timestamp(),
  workflows text[] not null,
  step text,
  run_id uuid,
  problem_id uuid,
  plan_id uuid,
  operation_id uuid,
  destination_id uuid,
  constraint notice_pkey primary key (seq),
  constraint notice_kind check (kind in ('problem.opened', 'problem.came_back', 'compensation.owed', 'compensation.failed',
    'approval.waiting', 'plan.waiting', 'operation.paused', 'destination.switched_off')),
  constraint notice_about check (num_nonnulls(run_id, problem_id, plan_id, operation_id, destination_id) = 1)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
create index notice_due on handrail.notice (due_at, seq);

-- One worker makes deliveries at a time: it locks this row.
create table handrail.notice_turn (
  one boolean not null default true,
  constraint notice_turn_pkey primary key (one),
  constraint notice_turn_one check (one)
);
insert into handrail.notice_turn default values;

-- A message to a destination. Whatever happens on the way, the receiver knows it by this id.
create table handrail.delivery (
  id uuid not null,
  destination_id uuid not null,
  status text not null,
  -- What it notifies of; of many notices, the first few.
  events jsonb not null,
  event_count integer not null,
  -- Exactly as it is sent, from the first attempt on.
  body text,
  created_at timestamptz(6) not null default clock_timestamp(),
  -- Until then it gathers more notices.
  due_at timestamptz(6),
  -- The run that sends it. An operator may have it sent again: that is another round.
  run_id uuid,
  round integer not null default 1,
  attempts integer not null default 0,
  next_attempt_at timestamptz(6),
  finished_at timestamptz(6),
  error text,
  constraint delivery_pkey primary key (id),
  constraint delivery_destination foreign key (destination_id) references handrail.destination (id) on delete cascade,
  constraint delivery_status check (status in ('gathering', 'sending', 'delivered', 'failed')),
  constraint delivery_gathering check ((status = 'gathering') = (due_at is not null) and (status = 'gathering') = (run_id is null)),
  constraint delivery_finished check ((status in ('delivered', 'failed')) = (finished_at is not null)),
  constraint delivery_waits check (next_attempt_at is null or status = 'sending'),
  constraint delivery_failed check ((status = 'failed') = (error is not null)),
  constraint delivery_counts check (event_count >= 1 and attempts >= 0 and round >= 1)
);
-- The history of a destination, which also limits its messages a minute.
create index delivery_of_destination on handrail.delivery (destination_id, created_at desc, id desc);
create unique index delivery_gathering_one on handrail.delivery (destination_id) where status = 'gathering';
create index delivery_due on handrail.delivery (due_at) where status = 'gathering';
create index delivery_sending on handrail.delivery (run_id) where status = 'sending';
create index delivery_old on handrail.delivery (finished_at) where finished_at is not null;

-- Written before anything is sent: an attempt without an end was cut off, and may have arrived.
create table handrail.delivery_attempt (
  delivery_id uuid not null,
  number integer not null,
  round integer not null,
  began_at timestamptz(6) not null default clock_timestamp(),
  ms integer,
  code integer,
  error text,
  constraint delivery_attempt_pkey primary key (delivery_id, number),
  constraint delivery_attempt_delivery foreign key (delivery_id) references handrail.delivery (id) on delete cascade,
  constraint delivery_attempt_error check (error is null or ms is not null)
);

-- Triggers write the notices: the facts come about in many statements.

-- A problem is notified of after five seconds, with the number of runs that it has by then, not as one run.
create function handrail.notice_of_problem() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, step, problem_id, due_at)
    values ('problem.opened', array[new.workflow], new.step, new.id, clock_timestamp() + interval '5 seconds');
  return null;
end $$;
create trigger problem_told after insert on handrail.problem for each row
  when (new.status = 'open') execute function handrail.notice_of_problem();

create function handrail.notice_of_return() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, step, problem_id)
    select 'problem.came_back', array[workflow], step, id from handrail.problem where id = new.problem_id;
  return null;
end $$;
create trigger return_told after insert on handrail.problem_history for each row
  when (new.what in ('came_back', 'mute_ended')) execute function handrail.notice_of_return();

create function handrail.notice_of_compensation() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, step, run_id)
    select case when new.status = 'failed' then 'compensation.failed' else 'compensation.owed' end, array[workflow], new.step, id
    from handrail.run where id = new.run_id;
  return null;
end $$;
create trigger compensation_owed_told after insert on handrail.compensation for each row
  when (new.status = 'owed' and new.mode = 'manual') execute function handrail.notice_of_compensation();
create trigger compensation_failed_told after update of status on handrail.compensation for each row
  when (new.status = 'failed' and old.status <> 'failed') execute function handrail.notice_of_compensation();

create function handrail.notice_of_question() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, step, run_id)
    select 'approval.waiting', array[workflow], new.step, id from handrail.run where id = new.run_id;
  return null;
end $$;
create trigger question_told after insert on handrail.event_wait for each row
  when (new.question is not null and new.closed_at is null) execute function handrail.notice_of_question();

create function handrail.notice_of_plan() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, plan_id) select 'plan.waiting', workflows, id from handrail.plan where id = new.plan_id;
  return null;
end $$;
create trigger plan_asked_told after insert on handrail.plan_approval for each row
  when (new.status = 'open') execute function handrail.notice_of_plan();
create trigger plan_asked_again_told after update of status on handrail.plan_approval for each row
  when (new.status = 'open') execute function handrail.notice_of_plan();


-- 16. Migrations ------------------------------------------------------------------------------------------------------------
-- How workers and later migrations get along: docs/upgrading.md. Which migrations were applied is in public._prisma_migrations.

-- What a migration said in its first line.
create table handrail.migration (
  name text not null,
  -- Workers that do not know it may continue.
  online boolean not null,
  applied_at timestamptz(6) not null default clock_timestamp(),
  constraint migration_pkey primary key (name)
);

-- A migration asks the workers to stand aside. There is at most one row, and it expires when the migrator no longer renews it.
create table handrail.drain (
  one boolean not null default true,
  migration text not null,
  requested_at timestamptz(6) not null default clock_timestamp(),
  until_at timestamptz(6) not null,
  constraint drain_pkey primary key (one),
  constraint drain_one check (one)
);
