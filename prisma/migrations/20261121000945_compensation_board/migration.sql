-- handrail: online
-- Who has taken an undo that waits for a person, and where the proof of what they did can be looked at.
alter table "handrail"."compensation"
  add column "assignee" text,
  -- Of a person with a sign-in.
  add column "assignee_id" uuid,
  add column "assigned_by" text,
  add column "assigned_at" timestamptz(6),
  add column "evidence" text,
  add constraint "compensation_assigned" check (("assignee" is null) = ("assigned_at" is null)
    and ("assignee" is null) = ("assigned_by" is null) and ("assignee_id" is null or "assignee" is not null)),
  -- It is shown as a link.
  add constraint "compensation_evidence" check ("evidence" ~* '^https?://');

-- The lanes of the board, each longest owed first.
create index "compensation_failed" on "handrail"."compensation" ("owed_at", "run_id", "step", "generation")
  where "status" = 'failed';
create index "compensation_by_hand" on "handrail"."compensation" ("owed_at", "run_id", "step", "generation")
  where "status" = 'owed' and "mode" = 'manual';
create index "compensation_running" on "handrail"."compensation" ("owed_at", "run_id", "step", "generation")
  where "status" = 'running';
create index "compensation_owed" on "handrail"."compensation" ("owed_at", "run_id", "step", "generation")
  where "status" = 'owed' and "mode" = 'automatic';
-- What somebody has taken and not finished.
create index "compensation_taken" on "handrail"."compensation" ("assignee", "owed_at", "run_id", "step", "generation")
  where "assignee" is not null and "status" in ('owed', 'running', 'failed');
