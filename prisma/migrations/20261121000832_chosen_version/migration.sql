-- A rerun may choose the version of the code that goes on with the run; and whenever another version than before takes a run
-- up, that is on record, so that every attempt can be told by which code it was made.
alter table "handrail"."run"
  -- The version that an operator has chosen: only workers that have it go on with the run. "version" stays the one it began with.
  add column "chosen_version" integer,
  -- The version that took it up last, once that was another one than it began with.
  add column "code_version" integer;

alter table "handrail"."worker"
  -- The versions that it has of each of its workflows, such as {"order-fulfilment": [1, 2]}.
  add column "versions" jsonb not null default '{}';

create table "handrail"."version_change" (
  "run_id" uuid not null,
  -- Of the claim that began with it, in which repair generation.
  "epoch" bigint not null,
  "generation" integer not null,
  "version" integer not null,
  "at" timestamptz(6) not null default clock_timestamp(),
  constraint "version_change_pkey" primary key ("run_id", "epoch")
);
