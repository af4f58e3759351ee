-- handrail: online
-- Acts that take a second person in runs of this version, as its code says.
alter table "handrail"."workflow" add column "four_eyes" text[] not null default '{}';

-- What a second person has said of a plan; its history is in the audit. One who proposes is never one who approves.
create table "handrail"."plan_approval" (
  "plan_id" uuid not null,
  -- The plan as both have seen it: it covers each run's revision.
  "plan_hash" text not null,
  "status" text not null default 'open',
  "proposer_id" uuid not null,
  "proposer" text not null,
  "reason" text not null,
  "requested_at" timestamptz(6) not null default clock_timestamp(),
  "expires_at" timestamptz(6) not null,
  "approver_id" uuid,
  "approver" text,
  "note" text,
  "answered_at" timestamptz(6),
  "used_at" timestamptz(6),
  constraint "plan_approval_pkey" primary key ("plan_id"),
  constraint "plan_approval_plan" foreign key ("plan_id") references "handrail"."plan" ("id") on delete cascade,
  constraint "plan_approval_hash" check ("plan_hash" ~ '^[0-9a-f]{64}$'),
  constraint "plan_approval_status" check ("status" in ('open', 'approved', 'rejected', 'used')),
  constraint "plan_approval_second_person" check ("approver_id" <> "proposer_id" and "approver" <> "proposer"),
  constraint "plan_approval_answered" check (("status" = 'open') = ("answered_at" is null)
    and ("answered_at" is null) = ("approver_id" is null) and ("answered_at" is null) = ("approver" is null)
    and ("answered_at" is null) = ("note" is null)),
  constraint "plan_approval_used" check (("status" = 'used') = ("used_at" is not null))
);
-- What waits for a second person, longest first.
create index "plan_approval_open" on "handrail"."plan_approval" ("requested_at", "plan_id") where "status" = 'open';
