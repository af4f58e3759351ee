-- What workflows say of themselves: lines beside their steps, and how far they have come. Written with the flushes of a claim.

create table "handrail"."log" (
  "run_id" uuid not null,
  "id" bigint generated always as identity,
  -- The same line has the same key in every replay, so that it is kept once.
  "key" text not null,
  "during" text not null,
  "step" text,
  "attempt" integer,
  "message" text not null,
  "data" text,
  "at" timestamptz(6) not null,
  constraint "log_pkey" primary key ("run_id", "id"),
  constraint "log_during" check ("during" in ('code', 'body', 'undo')),
  constraint "log_step" check (("during" = 'code') = ("step" is null) and ("step" is null) = ("attempt" is null))
);
create unique index "log_key" on "handrail"."log" ("run_id", "key");

create table "handrail"."progress" (
  "run_id" uuid not null,
  "done" double precision not null,
  "total" double precision not null,
  "note" text,
  "at" timestamptz(6) not null default clock_timestamp(),
  constraint "progress_pkey" primary key ("run_id"),
  constraint "progress_range" check ("done" >= 0 and "total" > 0 and "done" <= "total")
);
