-- Runs of workflows with limits or a window stand in queues. They leave the indexes that unlimited claims walk, so that a
-- blocked queue is never passed over there; docs/decisions/006-a-slot-is-a-run-that-somebody-works-on.md has the design.

alter table "handrail"."run"
  -- The queue that the run stands in, within its workflow; null for workflows without limits.
  add column "queue_key" text,
  add column "debounce_key" text,
  add constraint "run_slot" check ("waiting_kind" <> 'slot' or ("queue_key" is not null and "due_at" is null));

drop index "handrail"."run_ready";
create index "run_ready" on "handrail"."run" ("workflow", "priority" desc, "id")
  where "status" = 'pending' and "due_at" is null and "queue_key" is null;
drop index "handrail"."run_due";
create index "run_due" on "handrail"."run" ("workflow", "due_at") where "due_at" is not null and "queue_key" is null;

-- Timers of runs that enter their queue when they are due.
create index "run_due_queued" on "handrail"."run" ("workflow", "due_at") where "due_at" is not null and "queue_key" is not null;
-- Who stands in a queue: runs that have never begun, and runs that go on. Only the former count against a rate.
create index "run_queued" on "handrail"."run" ("workflow", "queue_key", "priority" desc, "id")
  where "queue_key" is not null and "status" = 'pending' and "due_at" is null and "started_at" is null;
create index "run_resuming" on "handrail"."run" ("workflow", "queue_key", "priority" desc, "id")
  where "queue_key" is not null and ("status" = 'pending' or "waiting_kind" = 'slot') and "due_at" is null and "started_at" is not null;
-- Who holds a slot, and who has begun: both limits are counted here, under the lock of the queue's lane.
create index "run_slot" on "handrail"."run" ("workflow", "queue_key") where "worker_id" is not null and "queue_key" is not null;
create index "run_begun" on "handrail"."run" ("workflow", "queue_key", "started_at")
  where "queue_key" is not null and "started_at" is not null;
-- A claim and every operator's act mint an epoch: from then on a later start makes a run of its own.
create unique index "run_debounce" on "handrail"."run" ("workflow", "debounce_key") where "debounce_key" is not null and "epoch" = 0;

-- One row per queue in which somebody stands. Claims lock it, look, and leave it ready, closed until an instant, or
-- closed until a note; nobody there any more, and it is deleted.
create table "handrail"."queue_lane" (
  "workflow" text not null,
  "key" text not null,
  "ready" boolean not null default true,
  -- Of the run that is next; runs that go on come before all others.
  "priority" smallint not null default 0,
  -- Queues of one priority take turns.
  "turn" timestamptz(6) not null default clock_timestamp(),
  "opens_at" timestamptz(6),
  constraint "queue_lane_pkey" primary key ("workflow", "key"),
  constraint "queue_lane_opening" check (not "ready" or "opens_at" is null)
);
create index "queue_lane_ready" on "handrail"."queue_lane" ("workflow", "priority" desc, "turn") where "ready";
create index "queue_lane_opening" on "handrail"."queue_lane" ("workflow", "opens_at") where "opens_at" is not null;

-- "Somebody entered this queue, or left a slot of it." Only ever inserted and deleted: whoever writes one waits for nobody.
create table "handrail"."queue_note" (
  "id" bigint generated always as identity,
  "workflow" text not null,
  "key" text not null,
  constraint "queue_note_pkey" primary key ("id")
);
create index "queue_note_workflow" on "handrail"."queue_note" ("workflow", "id");

-- An operator's limits, over those of the code; null leaves the code's.
create table "handrail"."queue_limit" (
  "workflow" text not null,
  "concurrency" integer,
  "rate_limit" integer,
  "rate_per_ms" bigint,
  "set_by" text not null,
  "set_at" timestamptz(6) not null default clock_timestamp(),
  constraint "queue_limit_pkey" primary key ("workflow"),
  constraint "queue_limit_concurrency" check ("concurrency" > 0),
  constraint "queue_limit_rate" check (("rate_limit" is null) = ("rate_per_ms" is null) and "rate_limit" > 0 and "rate_per_ms" > 0)
);

-- The limits and the window that the code declares, for the console; null where it declares none.
alter table "handrail"."workflow" add column "limits" jsonb;

-- Written by triggers, for a run enters its queue and leaves its slot in many statements, and a note that one of them
-- forgot would be a run that waits for ever. Runs without a queue cost the conditions alone.
create function "handrail"."note_queue"() returns trigger language plpgsql as $$
begin
  insert into handrail.queue_note (workflow, key) values (new.workflow, new.queue_key);
  return null;
end $$;
create trigger "queue_entered" after insert on "handrail"."run" for each row
  when (new.queue_key is not null and new.due_at is null and new.worker_id is null and new.status = 'pending')
  execute function "handrail"."note_queue"();
create trigger "queue_moved" after update on "handrail"."run" for each row
  when (new.queue_key is not null and new.worker_id is null and (
    old.worker_id is not null
    or (new.due_at is null and (new.status = 'pending' or new.waiting_kind = 'slot')
      and (old.due_at is not null or old.queue_key is distinct from new.queue_key
        or not (old.status = 'pending' or coalesce(old.waiting_kind = 'slot', false))))))
  execute function "handrail"."note_queue"();
