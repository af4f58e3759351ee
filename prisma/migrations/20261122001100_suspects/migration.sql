-- handrail: online
-- Runs that were lost and have not gone on since: one of them may be what ends its workers, so they come back in turns. Rows exist
-- for lost runs only, and are deleted once the run has gone on.
create table "handrail"."suspect" (
  "run_id" uuid not null,
  -- Whose end it was lost with, last.
  "worker_id" bigint not null,
  -- Losses in a row.
  "losses" integer not null,
  -- How many runs, itself among them, are as likely to have ended the worker as this one.
  "suspects" integer not null,
  "lost_at" timestamptz(6) not null default clock_timestamp(),
  -- When it was let back to the workers; null: its turn has not come.
  "turn_at" timestamptz(6),
  constraint "suspect_pkey" primary key ("run_id"),
  constraint "suspect_counts" check ("losses" > 0 and "suspects" > 0)
);

-- The same number, kept for a loss; null: others were likelier, or the loss was recorded by code that did not judge.
alter table "handrail"."lost_claim" add column "suspects" integer;
