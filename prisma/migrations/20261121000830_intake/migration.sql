-- A workflow whose intake is closed: its runs are accepted and kept, and none that has not begun is claimed.
create table "handrail"."closed_intake" (
  "workflow" text not null,
  -- 'new': what has begun goes on. 'all': that, too, stands still from its next step on.
  "holds" text not null,
  "closed_by" text not null,
  "reason" text not null,
  "closed_at" timestamptz(6) not null default clock_timestamp(),
  constraint "closed_intake_pkey" primary key ("workflow"),
  constraint "closed_intake_holds" check ("holds" in ('new', 'all'))
);

-- The same as every claim reads it, on the row that it locks anyway: whoever closes an intake locks that row against it, so
-- that a claim comes before the closing or sees it. Kept by whoever writes closed_intake, in the same transaction.
alter table "handrail"."worker"
  add column "closed_intakes" text[] not null default '{}',
  add column "held_workflows" text[] not null default '{}';

-- What has begun and is ready: all that is claimed of a workflow whose intake is closed, however much stands before it.
create index "run_ready_begun" on "handrail"."run" ("workflow", "priority" desc, "id")
  where "status" = 'pending' and "due_at" is null and "queue_key" is null and "started_at" is not null;
