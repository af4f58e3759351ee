-- The engine's own tables. Hot ones (run, step) carry few indexes and no foreign keys: the fence that opens every
-- engine write has locked the run's row already, and a key check per step would double the processor time of a flush.

create schema if not exists "handrail";

create table "handrail"."workflow" (
  "name" text not null,
  "version" integer not null,
  "title" text not null,
  "input_schema" jsonb,
  "registered_at" timestamptz(6) not null default clock_timestamp(),
  "seen_at" timestamptz(6) not null default clock_timestamp(),
  constraint "workflow_pkey" primary key ("name", "version")
);

create table "handrail"."worker" (
  "id" bigint generated always as identity,
  "name" text not null,
  "workflows" text[] not null,
  "concurrency" integer not null,
  "running" integer not null default 0,
  "started_at" timestamptz(6) not null default clock_timestamp(),
  "heartbeat_at" timestamptz(6) not null default clock_timestamp(),
  "lease_expires_at" timestamptz(6) not null,
  "stopping_at" timestamptz(6),
  "stopped_at" timestamptz(6),
  constraint "worker_pkey" primary key ("id")
);
-- The completer looks only at workers that have not said goodbye.
create index "worker_lease" on "handrail"."worker" ("lease_expires_at") where "stopped_at" is null;

create table "handrail"."run" (
  "id" uuid not null,
  "workflow" text not null,
  "version" integer not null,
  "status" text not null default 'pending',
  "epoch" bigint not null default 0,
  "worker_id" bigint,
  "revision" bigint not null default 0,
  "generation" integer not null default 1,
  "priority" smallint not null default 0,
  "due_at" timestamptz(6),
  "deadline_at" timestamptz(6),
  "cancel_requested_at" timestamptz(6),
  "lost_claims" integer not null default 0,
  "waiting_kind" text,
  "waiting_step" text,
  "waiting_since" timestamptz(6),
  "attention" text,
  "failed_step" text,
  "input" text not null,
  "output" text,
  "error" text,
  "tags" jsonb,
  "idempotency_key" text,
  "parent_run_id" uuid,
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "started_at" timestamptz(6),
  "finished_at" timestamptz(6),
  constraint "run_pkey" primary key ("id"),
  constraint "run_status" check ("status" in
    ('pending', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'compensating', 'compensated', 'paused')),
  constraint "run_waiting_kind" check ("waiting_kind" in
    ('timer', 'retry', 'event', 'child', 'slot', 'approval', 'operator')),
  constraint "run_attention" check ("attention" in
    ('failed', 'outcome_unknown', 'compensation_owed', 'approval')),
  -- Only who works on a run owns it, and a running run has an owner.
  constraint "run_owner" check (case "status" when 'running' then "worker_id" is not null
    when 'compensating' then true else "worker_id" is null end),
  -- A waiting run always says what for.
  constraint "run_waiting" check (case "status" when 'waiting' then "waiting_kind" is not null
    when 'compensating' then true else "waiting_kind" is null end),
  constraint "run_finished" check (("finished_at" is not null) = ("status" in ('completed', 'failed', 'cancelled', 'compensated'))),
  constraint "run_failed" check ("status" <> 'failed' or ("error" is not null and "attention" is not null)),
  constraint "run_ended" check ("status" not in ('completed', 'failed', 'cancelled', 'compensated') or ("due_at" is null and "worker_id" is null))
) with (fillfactor = 90);
-- Ready runs of one workflow in claim order: a claim walks its head and never sorts a backlog.
create index "run_ready" on "handrail"."run" ("workflow", "priority" desc, "id") where "status" = 'pending' and "due_at" is null;
-- Everything with a timer: delayed starts, sleeps, retries, compensations to take up.
create index "run_due" on "handrail"."run" ("workflow", "due_at") where "due_at" is not null;
-- Delayed starts, for lists and counts of what is pending: they must not read every sleep.
create index "run_delayed" on "handrail"."run" ("id") where "status" = 'pending' and "due_at" is not null;
create index "run_owner" on "handrail"."run" ("worker_id") where "worker_id" is not null;
create unique index "run_idempotency_key" on "handrail"."run" ("idempotency_key", "workflow") where "idempotency_key" is not null;
-- Lists, newest first (ids are UUIDv7). Completed and pending are found through the primary key and run_ready.
create index "run_by_status" on "handrail"."run" ("status", "id") where "status" in ('failed', 'waiting', 'cancelled', 'compensating', 'compensated', 'paused');
create index "run_by_attention" on "handrail"."run" ("attention", "id") where "attention" is not null;
create index "run_by_workflow" on "handrail"."run" ("workflow", "id");

create table "handrail"."run_tag" (
  "name" text not null,
  "value" text not null,
  "run_id" uuid not null,
  constraint "run_tag_pkey" primary key ("name", "value", "run_id")
);
create index "run_tag_value" on "handrail"."run_tag" ("value", "run_id");

create table "handrail"."step" (
  "run_id" uuid not null,
  "name" text not null,
  "generation" integer not null,
  "kind" text not null,
  "effect" text not null,
  "status" text not null,
  "position" integer not null,
  "finished_position" integer,
  "attempt" integer not null,
  "failures" integer not null default 0,
  "max_attempts" integer not null,
  "key_generation" integer not null,
  "output" text,
  "error" text,
  "reference" text,
  "can_ask" boolean not null default false,
  -- The error of an attempt of this generation that may have had its effect without leaving an outcome.
  "doubt" text,
  "worker_id" bigint,
  "started_at" timestamptz(6) not null,
  "finished_at" timestamptz(6),
  "next_attempt_at" timestamptz(6),
  "compensation_mode" text,
  "instructions" text,
  "superseded_by" integer,
  "next_key_generation" integer,
  constraint "step_pkey" primary key ("run_id", "name", "generation"),
  constraint "step_kind" check ("kind" in ('step', 'transaction', 'sleep', 'event', 'approval', 'child')),
  constraint "step_effect" check ("effect" in ('pure', 'idempotent', 'once')),
  constraint "step_status" check ("status" in ('running', 'waiting', 'completed', 'failed', 'unknown', 'skipped')),
  constraint "step_compensation_mode" check ("compensation_mode" in ('automatic', 'manual')),
  constraint "step_finished" check (("finished_position" is not null) = ("status" in ('completed', 'failed', 'skipped')) and ("finished_at" is null or "status" <> 'running')),
  constraint "step_failed" check ("status" <> 'failed' or "error" is not null),
  constraint "step_waiting" check (("status" = 'waiting') = ("next_attempt_at" is not null)),
  constraint "step_superseded" check (("superseded_by" is null) = ("next_key_generation" is null))
);

-- Attempts that did not end in the step's kept outcome; the last one is the step's own row.
create table "handrail"."attempt" (
  "run_id" uuid not null,
  "step" text not null,
  "generation" integer not null,
  "number" integer not null,
  "status" text not null,
  "error" text,
  "worker_id" bigint,
  "started_at" timestamptz(6) not null,
  "finished_at" timestamptz(6),
  constraint "attempt_pkey" primary key ("run_id", "step", "generation", "number"),
  constraint "attempt_status" check ("status" in ('failed', 'unknown', 'interrupted'))
);

create table "handrail"."compensation" (
  "run_id" uuid not null,
  "step" text not null,
  "generation" integer not null,
  "mode" text not null,
  "status" text not null default 'owed',
  "position" integer not null,
  "attempt" integer not null default 0,
  "failures" integer not null default 0,
  "next_attempt_at" timestamptz(6),
  "error" text,
  "by" text,
  "note" text,
  "reference" text,
  "instructions" text,
  "worker_id" bigint,
  "owed_at" timestamptz(6) not null default clock_timestamp(),
  "started_at" timestamptz(6),
  "finished_at" timestamptz(6),
  constraint "compensation_pkey" primary key ("run_id", "step", "generation"),
  constraint "compensation_mode" check ("mode" in ('automatic', 'manual')),
  constraint "compensation_status" check ("status" in ('owed', 'running', 'completed', 'failed', 'waived')),
  constraint "compensation_finished" check (("finished_at" is not null) = ("status" in ('completed', 'waived'))),
  -- What a person records carries who and why.
  constraint "compensation_recorded" check ("status" <> 'waived' or ("by" is not null and "note" is not null))
);
create index "compensation_open" on "handrail"."compensation" ("owed_at", "run_id") where "status" in ('owed', 'running', 'failed');
create index "compensation_settled" on "handrail"."compensation" ("finished_at" desc, "run_id") where "status" in ('completed', 'waived');

-- A claim whose worker fell silent: what it ran between its last record and its end is not known to anybody.
create table "handrail"."lost_claim" (
  "run_id" uuid not null,
  "epoch" bigint not null,
  "worker_id" bigint not null,
  "lost_at" timestamptz(6) not null default clock_timestamp(),
  constraint "lost_claim_pkey" primary key ("run_id", "epoch")
);

create table "handrail"."audit" (
  "id" bigint generated always as identity,
  "at" timestamptz(6) not null default clock_timestamp(),
  "actor" text not null,
  "act" text not null,
  "run_id" uuid not null,
  "step" text,
  "reason" text not null,
  "before" jsonb not null,
  "after" jsonb not null,
  "request_key" text,
  constraint "audit_pkey" primary key ("id")
);
create index "audit_run" on "handrail"."audit" ("run_id", "id");

-- Mutations already answered: the same Idempotency-Key gets the same answer.
create table "handrail"."request" (
  "key" text not null,
  "fingerprint" text not null,
  "status" integer,
  "body" jsonb,
  "created_at" timestamptz(6) not null default clock_timestamp(),
  constraint "request_pkey" primary key ("key")
);
create index "request_created_at" on "handrail"."request" ("created_at");
