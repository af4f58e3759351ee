-- Limits of a whole workflow beside those of each key, and windows that an operator changes.

-- One row per workflow with a limit over all of its keys. Claims lock it before the queues, count, and leave it open, full
-- until a note, or closed to beginners until an instant; docs/decisions/006-a-slot-is-a-run-that-somebody-works-on.md.
create table "handrail"."queue_total" (
  "workflow" text not null,
  "full" boolean not null default false,
  -- Before it, only what has begun goes on.
  "starts_at" timestamptz(6),
  constraint "queue_total_pkey" primary key ("workflow")
);

-- What has begun lately, of all keys together.
create index "run_begun_of_workflow" on "handrail"."run" ("workflow", "started_at")
  where "queue_key" is not null and "started_at" is not null;

alter table "handrail"."queue_limit"
  add column "total" integer,
  add column "total_rate_limit" integer,
  add column "total_rate_per_ms" bigint,
  add column "window_from" text,
  add column "window_to" text,
  add column "window_zone" text,
  add constraint "queue_limit_total" check ("total" > 0),
  add constraint "queue_limit_total_rate" check (
    ("total_rate_limit" is null) = ("total_rate_per_ms" is null) and "total_rate_limit" > 0 and "total_rate_per_ms" > 0),
  add constraint "queue_limit_window" check (
    ("window_from" is null) = ("window_to" is null) and ("window_from" is null) = ("window_zone" is null));
