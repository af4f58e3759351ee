-- handrail: online
-- A plan says what an act would do to each of its runs; it changes none. Its hash is there when it is whole.
create table "handrail"."plan" (
  "id" uuid not null,
  "act" text not null,
  "params" jsonb not null,
  "selection" jsonb not null,
  "made_by" text not null,
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "expires_at" timestamptz(6) not null,
  "hash" text,
  "totals" jsonb,
  "executed_at" timestamptz(6),
  constraint "plan_pkey" primary key ("id"),
  constraint "plan_act" check ("act" in ('rerun', 'cancel', 'pause', 'resume')),
  constraint "plan_whole" check (("hash" is null) = ("totals" is null)),
  constraint "plan_hash" check ("hash" ~ '^[0-9a-f]{64}$'),
  constraint "plan_executed" check ("executed_at" is null or "hash" is not null)
);
-- What may be deleted when its time is up.
create index "plan_unused" on "handrail"."plan" ("expires_at") where "executed_at" is null;

create table "handrail"."plan_item" (
  "plan_id" uuid not null,
  "position" integer not null,
  "run_id" uuid not null,
  "workflow" text not null,
  "revision" bigint not null,
  "generation" integer not null,
  "included" boolean not null,
  "because" text,
  "detail" jsonb not null,
  constraint "plan_item_pkey" primary key ("plan_id", "position"),
  constraint "plan_item_because" check ("included" = ("because" is null)),
  constraint "plan_item_position" check ("position" > 0)
);
-- A run is in a plan once.
create unique index "plan_item_run" on "handrail"."plan_item" ("plan_id", "run_id");
-- What an operation will do, in order.
create index "plan_item_included" on "handrail"."plan_item" ("plan_id", "position") where "included";
