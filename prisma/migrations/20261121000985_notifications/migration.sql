-- handrail: online
-- Whom to tell when something needs a person.
create table "handrail"."destination" (
  "id" uuid not null,
  "name" text not null,
  "kind" text not null,
  -- Of a webhook.
  "url" text,
  -- Of mail.
  "addresses" text[],
  "events" text[] not null,
  -- Only what concerns these; null: every one.
  "workflows" text[],
  "per_minute" integer not null,
  "enabled" boolean not null default true,
  -- It switched itself off.
  "disabled_because" text,
  -- Of a webhook: what its messages are signed with. Sealed where there are payload keys.
  "secret" text,
  -- For a while after a rotation, beside the new one.
  "previous_secret" text,
  "previous_secret_until" timestamptz(6),
  -- Nothing was delivered since.
  "failing_since" timestamptz(6),
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "created_by" text not null,
  "revision" bigint not null default 1,
  constraint "destination_pkey" primary key ("id"),
  constraint "destination_kind" check ("kind" in ('webhook', 'email')),
  constraint "destination_where" check (("kind" = 'webhook') = ("url" is not null) and ("kind" = 'webhook') = ("secret" is not null)
    and ("kind" = 'email') = ("addresses" is not null)),
  constraint "destination_previous" check (("previous_secret" is null) = ("previous_secret_until" is null)),
  constraint "destination_disabled" check ("disabled_because" is null or not "enabled"),
  constraint "destination_per_minute" check ("per_minute" between 1 and 600)
);
create unique index "destination_name" on "handrail"."destination" ("name");

-- What is to be told, written in the transaction of the fact itself. A worker hands it over to deliveries and deletes it.
create table "handrail"."notice" (
  "seq" bigserial not null,
  "kind" text not null,
  "at" timestamptz(6) not null default clock_timestamp(),
  -- Later than its own instant where people have just been told of the same problem.
  "due_at" timestamptz(6) not null default clock_timestamp(),
  "workflows" text[] not null,
  "step" text,
  "run_id" uuid,
  "problem_id" uuid,
  "plan_id" uuid,
  "operation_id" uuid,
  "destination_id" uuid,
  constraint "notice_pkey" primary key ("seq"),
  constraint "notice_kind" check ("kind" in ('problem.opened', 'problem.came_back', 'compensation.owed', 'compensation.failed',
    'approval.waiting', 'plan.waiting', 'operation.paused', 'destination.switched_off')),
  constraint "notice_about" check (num_nonnulls("run_id", "problem_id", "plan_id", "operation_id", "destination_id") = 1)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
create index "notice_due" on "handrail"."notice" ("due_at", "seq");

-- One worker hands over at a time: whoever holds this row.
create table "handrail"."notice_turn" (
  "one" boolean not null default true,
  constraint "notice_turn_pkey" primary key ("one"),
  constraint "notice_turn_one" check ("one")
);
insert into "handrail"."notice_turn" default values;

-- When people were last told of it: they are not told again at once.
alter table "handrail"."problem" add column "told_at" timestamptz(6);

-- A message to a destination. Its id is the one that the receiver knows it by, whatever happens on the way.
create table "handrail"."delivery" (
  "id" uuid not null,
  "destination_id" uuid not null,
  "status" text not null,
  -- What it tells; of many, the first few.
  "events" jsonb not null,
  "event_count" integer not null,
  -- As it is sent, letter by letter, from the first attempt on.
  "body" text,
  "created_at" timestamptz(6) not null default clock_timestamp(),
  -- More is gathered until then.
  "due_at" timestamptz(6),
  -- Of the latest round: a person may have it delivered again.
  "run_id" uuid,
  "round" integer not null default 1,
  "attempts" integer not null default 0,
  "next_attempt_at" timestamptz(6),
  "finished_at" timestamptz(6),
  "error" text,
  constraint "delivery_pkey" primary key ("id"),
  constraint "delivery_destination" foreign key ("destination_id") references "handrail"."destination" ("id") on delete cascade,
  constraint "delivery_status" check ("status" in ('gathering', 'sending', 'delivered', 'failed')),
  constraint "delivery_gathering" check (("status" = 'gathering') = ("due_at" is not null) and ("status" = 'gathering') = ("run_id" is null)),
  constraint "delivery_finished" check (("status" in ('delivered', 'failed')) = ("finished_at" is not null)),
  constraint "delivery_waits" check ("next_attempt_at" is null or "status" = 'sending'),
  constraint "delivery_failed" check (("status" = 'failed') = ("error" is not null)),
  constraint "delivery_counts" check ("event_count" >= 1 and "attempts" >= 0 and "round" >= 1)
);
-- The history of a destination, and how many messages it had in the last minute.
create index "delivery_of_destination" on "handrail"."delivery" ("destination_id", "created_at" desc, "id" desc);
create unique index "delivery_gathering_one" on "handrail"."delivery" ("destination_id") where "status" = 'gathering';
create index "delivery_due" on "handrail"."delivery" ("due_at") where "status" = 'gathering';
create index "delivery_sending" on "handrail"."delivery" ("run_id") where "status" = 'sending';
create index "delivery_old" on "handrail"."delivery" ("finished_at") where "finished_at" is not null;

-- Written before anything is sent: one without an end was cut off, and may have arrived.
create table "handrail"."delivery_attempt" (
  "delivery_id" uuid not null,
  "number" integer not null,
  "round" integer not null,
  "began_at" timestamptz(6) not null default clock_timestamp(),
  "ms" integer,
  "code" integer,
  "error" text,
  constraint "delivery_attempt_pkey" primary key ("delivery_id", "number"),
  constraint "delivery_attempt_delivery" foreign key ("delivery_id") references "handrail"."delivery" ("id") on delete cascade,
  constraint "delivery_attempt_error" check ("error" is null or "ms" is not null)
);

-- By triggers, as troubles are noted: the facts come about in many statements, also of workers older than this.
create function "handrail"."notice_of_problem"() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, step, problem_id) values ('problem.opened', array[new.workflow], new.step, new.id);
  return null;
end $$;
create trigger "problem_told" after insert on "handrail"."problem" for each row
  when (new.status = 'open') execute function "handrail"."notice_of_problem"();

create function "handrail"."notice_of_return"() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, step, problem_id)
    select 'problem.came_back', array[workflow], step, id from handrail.problem where id = new.problem_id;
  return null;
end $$;
create trigger "return_told" after insert on "handrail"."problem_history" for each row
  when (new.what in ('came_back', 'mute_ended')) execute function "handrail"."notice_of_return"();

create function "handrail"."notice_of_compensation"() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, step, run_id)
    select case when new.status = 'failed' then 'compensation.failed' else 'compensation.owed' end, array[workflow], new.step, id
    from handrail.run where id = new.run_id;
  return null;
end $$;
create trigger "compensation_owed_told" after insert on "handrail"."compensation" for each row
  when (new.status = 'owed' and new.mode = 'manual') execute function "handrail"."notice_of_compensation"();
create trigger "compensation_failed_told" after update of "status" on "handrail"."compensation" for each row
  when (new.status = 'failed' and old.status <> 'failed') execute function "handrail"."notice_of_compensation"();

create function "handrail"."notice_of_question"() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, step, run_id)
    select 'approval.waiting', array[workflow], new.step, id from handrail.run where id = new.run_id;
  return null;
end $$;
create trigger "question_told" after insert on "handrail"."event_wait" for each row
  when (new.question is not null and new.closed_at is null) execute function "handrail"."notice_of_question"();

create function "handrail"."notice_of_plan"() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, plan_id) select 'plan.waiting', workflows, id from handrail.plan where id = new.plan_id;
  return null;
end $$;
create trigger "plan_asked_told" after insert on "handrail"."plan_approval" for each row
  when (new.status = 'open') execute function "handrail"."notice_of_plan"();
create trigger "plan_asked_again_told" after update of "status" on "handrail"."plan_approval" for each row
  when (new.status = 'open') execute function "handrail"."notice_of_plan"();
