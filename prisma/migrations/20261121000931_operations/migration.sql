-- handrail: online
-- A plan that is carried out. Its counts rise in the transactions that carry the items out: nothing is ever counted.
create table "handrail"."operation" (
  "id" uuid not null,
  "plan_id" uuid not null,
  "run_id" uuid not null,
  "act" text not null,
  "params" jsonb not null,
  "status" text not null default 'running',
  "by" jsonb not null,
  "reason" text not null,
  "rate_per_second" integer not null,
  "canary" integer not null,
  "canary_passed_at" timestamptz(6),
  "paused_because" text,
  "position" integer not null default 0,
  "judged_from" integer not null default 0,
  "total" integer not null,
  "done" integer not null default 0,
  "already" integer not null default 0,
  "not_eligible" integer not null default 0,
  "changed" integer not null default 0,
  "failed" integer not null default 0,
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "finished_at" timestamptz(6),
  constraint "operation_pkey" primary key ("id"),
  constraint "operation_status" check ("status" in ('running', 'paused', 'completed', 'aborted')),
  constraint "operation_finished" check (("status" in ('completed', 'aborted')) = ("finished_at" is not null)),
  constraint "operation_paused" check (("status" = 'paused') = ("paused_because" is not null)),
  constraint "operation_rate" check ("rate_per_second" between 1 and 1000),
  constraint "operation_canary" check ("canary" between 0 and 1000),
  constraint "operation_counts" check (least("done", "already", "not_eligible", "changed", "failed", "position") >= 0
    and "done" + "already" + "not_eligible" + "changed" + "failed" <= "total")
) with (fillfactor = 50);
-- A plan is carried out once.
create unique index "operation_plan" on "handrail"."operation" ("plan_id");
create unique index "operation_run" on "handrail"."operation" ("run_id");

-- What became of each item: its row is written in the transaction of the act itself.
create table "handrail"."operation_item" (
  "operation_id" uuid not null,
  "position" integer not null,
  "run_id" uuid not null,
  "outcome" text not null,
  "because" text,
  "at" timestamptz(6) not null default clock_timestamp(),
  constraint "operation_item_pkey" primary key ("operation_id", "position"),
  constraint "operation_item_outcome" check ("outcome" in ('done', 'already', 'not_eligible', 'changed', 'failed')),
  constraint "operation_item_because" check (("outcome" = 'done') = ("because" is null))
);
-- What did not go as planned, among many that did.
create index "operation_item_others" on "handrail"."operation_item" ("operation_id", "position") where "outcome" <> 'done';
