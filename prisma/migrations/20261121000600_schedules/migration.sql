-- Schedules as the code defines them, what people have overridden, and what each nominal time came to.
create table "handrail"."schedule" (
  "name" text not null,
  "workflow" text not null,
  "title" text not null,
  "definition" jsonb not null,
  -- Fields of the definition that a person has set otherwise.
  "override" jsonb,
  "paused_at" timestamptz(6),
  -- The first nominal time that no scheduler has looked at; null while paused.
  "nominal_at" timestamptz(6),
  -- When a scheduler has to look: then, or sooner for a firing that waits for the end of a run.
  "look_at" timestamptz(6),
  "revision" bigint not null default 0,
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "seen_at" timestamptz(6) not null default clock_timestamp(),
  -- Firings before this instant may have been deleted: which of them ran is no longer known.
  "forgotten_until" timestamptz(6),
  constraint "schedule_pkey" primary key ("name"),
  constraint "schedule_paused" check (("paused_at" is null) = ("nominal_at" is not null) and ("paused_at" is null) = ("look_at" is not null))
);
create index "schedule_look" on "handrail"."schedule" ("look_at") where "look_at" is not null;

-- One row for each nominal time: whoever inserts it starts its run, in the same statement.
create table "handrail"."firing" (
  "schedule" text not null,
  "nominal_at" timestamptz(6) not null,
  "status" text not null,
  "cause" text not null,
  "reason" text,
  "run_id" uuid,
  "fired_at" timestamptz(6) not null default clock_timestamp(),
  constraint "firing_pkey" primary key ("schedule", "nominal_at"),
  constraint "firing_status" check ("status" in ('started', 'queued', 'skipped', 'missed', 'refused')),
  constraint "firing_cause" check ("cause" in ('time', 'person', 'backfill')),
  constraint "firing_started" check (("run_id" is not null) = ("status" = 'started')),
  constraint "firing_explained" check ("status" in ('started', 'queued') or "reason" is not null)
);
create unique index "firing_queued" on "handrail"."firing" ("schedule") where "status" = 'queued';
create unique index "firing_run" on "handrail"."firing" ("run_id") where "run_id" is not null;

alter table "handrail"."run"
  add column "schedule" text,
  add column "scheduled_at" timestamptz(6);
-- Runs of a schedule that have not ended, for its overlap policy.
create index "run_of_schedule" on "handrail"."run" ("schedule", "id")
  where "schedule" is not null and "status" in ('pending', 'running', 'waiting', 'paused', 'compensating');

-- The schedules that a worker's code defines: it fires those alone.
alter table "handrail"."worker" add column "schedules" text[] not null default array[]::text[];

-- Acts on schedules stand in the same audit.
alter table "handrail"."audit"
  alter column "run_id" drop not null,
  add column "schedule" text;
create index "audit_schedule" on "handrail"."audit" ("schedule", "id") where "schedule" is not null;
