-- Runs that a run starts. A child is known by its parent, the parent's step and the generation of that step's key, so that
-- no step starts two, however often it is recorded.
alter table "handrail"."run"
  add column "parent_step" text,
  add column "parent_key_generation" integer,
  -- A cancel of the parent cancels this run, too.
  add column "ends_with_parent" boolean not null default false,
  -- The parent waits for this run's end and is to be woken by it; false once that is done.
  add column "tells_parent" boolean not null default false,
  -- What this run waits for came about while a worker held it: it does not come to rest before a pass has looked again.
  add column if not exists "woken_at" timestamptz(6);

update "handrail"."run" set "parent_step" = '', "parent_key_generation" = 1 where "parent_run_id" is not null;

alter table "handrail"."run"
  add constraint "run_child" check (("parent_run_id" is null) = ("parent_step" is null)
    and ("parent_run_id" is null) = ("parent_key_generation" is null)
    and ("parent_run_id" is not null or not ("ends_with_parent" or "tells_parent")));

create unique index "run_child_of_step" on "handrail"."run" ("parent_run_id", "parent_step", "parent_key_generation")
  where "parent_run_id" is not null;
-- Lists of children, newest first.
create index "run_children" on "handrail"."run" ("parent_run_id", "id") where "parent_run_id" is not null;
create index "run_open_children" on "handrail"."run" ("parent_run_id") where "parent_run_id" is not null and "finished_at" is null;
-- Ends that the parent has not been told of: nearly always empty.
create index "run_tells_parent" on "handrail"."run" ("parent_run_id") where "tells_parent" and "finished_at" is not null;

-- A step may wait for something else than an instant.
alter table "handrail"."step" drop constraint "step_waiting";
alter table "handrail"."step" add constraint "step_waiting" check (case "status"
  when 'waiting' then "next_attempt_at" is not null or "kind" in ('event', 'approval', 'child')
  else "next_attempt_at" is null end);
