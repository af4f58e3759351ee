-- handrail: online
-- What begins or ceases to need a person, a row a change of a run, in the order of each run's changes. A worker folds it into the
-- problems below and deletes it: whoever fails inserts, so that a thousand runs that fail alike at once wait for nobody.
create table "handrail"."trouble" (
  "seq" bigserial not null,
  "run_id" uuid not null,
  "at" timestamptz(6) not null default clock_timestamp(),
  -- What began; null: the run left its trouble, or was deleted.
  "kind" text,
  "workflow" text,
  "version" integer,
  "step" text,
  "error" text,
  constraint "trouble_pkey" primary key ("seq"),
  constraint "trouble_kind" check ("kind" in ('failed', 'outcome_unknown', 'undo_failed')),
  constraint "trouble_entered" check (("kind" is null) = ("workflow" is null) and ("kind" is null) = ("version" is null))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- One worker folds at a time: whoever holds this row.
create table "handrail"."problem_fold" (
  "one" boolean not null default true,
  constraint "problem_fold_pkey" primary key ("one"),
  constraint "problem_fold_one" check ("one")
);
insert into "handrail"."problem_fold" default values;

-- Failures alike: of one workflow, step and error but for what differs from run to run.
create table "handrail"."problem" (
  "id" uuid not null,
  "kind" text not null,
  "workflow" text not null,
  "step" text,
  "error_name" text not null,
  "pattern" text not null,
  "status" text not null default 'open',
  "assignee" text,
  "muted_until" timestamptz(6),
  -- Muted until so many failures are counted in all.
  "muted_to_count" bigint,
  "resolved_at" timestamptz(6),
  -- Failures of older versions do not open it again.
  "resolved_in" integer,
  "came_back" text,
  "came_back_at" timestamptz(6),
  "failures" bigint not null default 0,
  -- Of these, those that had used up their attempts, and those of runs that were repaired of it before.
  "exhausted" bigint not null default 0,
  "returned" bigint not null default 0,
  -- Runs that it holds now.
  "open_runs" integer not null default 0,
  "first_at" timestamptz(6) not null,
  "last_at" timestamptz(6) not null,
  "example_run_id" uuid not null,
  "example_step" text,
  "example_version" integer not null,
  "example_error" text not null,
  -- Rises with what people and the fold change of it; not with each failure.
  "revision" bigint not null default 1,
  constraint "problem_pkey" primary key ("id"),
  constraint "problem_kind" check ("kind" in ('failed', 'outcome_unknown', 'undo_failed')),
  constraint "problem_status" check ("status" in ('open', 'muted', 'resolved')),
  constraint "problem_muted" check ("status" = 'muted' or ("muted_until" is null and "muted_to_count" is null)),
  constraint "problem_resolved" check (("status" = 'resolved') = ("resolved_at" is not null)
    and ("resolved_in" is null or "resolved_at" is not null)),
  constraint "problem_came_back" check (("came_back" is null) = ("came_back_at" is null) and "came_back" in ('resolved', 'rerun')),
  constraint "problem_counts" check (least("failures", "exhausted", "returned", "open_runs") >= 0
    and "exhausted" <= "failures" and "returned" <= "failures"),
  constraint "problem_times" check ("first_at" <= "last_at")
) with (fillfactor = 70);
create index "problem_recent" on "handrail"."problem" ("status", "last_at" desc, "id" desc);
create index "problem_holding" on "handrail"."problem" ("status", "open_runs" desc, "id") where "open_runs" > 0;
create index "problem_mute_ends" on "handrail"."problem" ("muted_until") where "muted_until" is not null;
create index "problem_quiet" on "handrail"."problem" ("last_at") where "open_runs" = 0;

-- How failures find their problem. A later rule adds rows of its own to a problem that an earlier one began.
create table "handrail"."problem_fingerprint" (
  "workflow" text not null,
  "step" text not null,
  "kind" text not null,
  "rule" smallint not null,
  "fingerprint" text not null,
  "problem_id" uuid not null,
  constraint "problem_fingerprint_pkey" primary key ("workflow", "step", "kind", "rule", "fingerprint")
);
create index "problem_fingerprint_problem" on "handrail"."problem_fingerprint" ("problem_id");

-- The problem that holds a run, or held it last.
create table "handrail"."problem_run" (
  "run_id" uuid not null,
  "problem_id" uuid not null,
  "since" timestamptz(6) not null,
  "left_at" timestamptz(6),
  constraint "problem_run_pkey" primary key ("run_id")
) with (fillfactor = 80);
create index "problem_run_held" on "handrail"."problem_run" ("problem_id", "run_id") where "left_at" is null;

-- Failures by the minute, for hours, and by the hour, for weeks.
create table "handrail"."problem_count" (
  "problem_id" uuid not null,
  "minutes" smallint not null,
  "at" timestamptz(6) not null,
  "failures" integer not null,
  constraint "problem_count_pkey" primary key ("problem_id", "minutes", "at"),
  constraint "problem_count_minutes" check ("minutes" in (1, 60)),
  constraint "problem_count_failures" check ("failures" > 0)
);
create index "problem_count_old" on "handrail"."problem_count" ("minutes", "at");

create table "handrail"."problem_version" (
  "problem_id" uuid not null,
  "version" integer not null,
  "failures" bigint not null,
  "first_at" timestamptz(6) not null,
  "last_at" timestamptz(6) not null,
  constraint "problem_version_pkey" primary key ("problem_id", "version")
);

-- What people did to a problem and said of it, and how it came back.
create table "handrail"."problem_history" (
  "problem_id" uuid not null,
  "id" bigserial not null,
  "at" timestamptz(6) not null default clock_timestamp(),
  "what" text not null,
  -- Null: it came so by itself.
  "by" text,
  "text" text not null,
  constraint "problem_history_pkey" primary key ("problem_id", "id"),
  constraint "problem_history_what" check ("what" in ('note', 'assign', 'mute', 'resolve', 'reopen', 'came_back', 'mute_ended'))
);

-- By triggers, for a run comes into trouble and out of it in many statements, also of workers older than this, and one that forgot
-- it would make every number here a lie. Runs without trouble cost the conditions alone.
create function "handrail"."note_trouble"() returns trigger language plpgsql as $$
declare
  at_step text := new.failed_step;
  why text := new.error;
  what text := 'failed';
begin
  if new.attention = 'outcome_unknown' then
    select name, coalesce(step.doubt, step.error) into at_step, why from handrail.step
      where run_id = new.id and status = 'unknown' and superseded_by is null order by position limit 1;
    what := 'outcome_unknown';
  elsif new.attention = 'compensation_owed' then
    select compensation.step, compensation.error into at_step, why from handrail.compensation
      where run_id = new.id and status = 'failed' order by position desc limit 1;
    -- An undo that was for a person from the beginning has not failed.
    what := case when found then 'undo_failed' end;
  elsif new.attention is distinct from 'failed' then
    what := null;
  end if;
  if what is null then
    insert into handrail.trouble (run_id) values (new.id);
  else
    insert into handrail.trouble (run_id, kind, workflow, version, step, error)
      values (new.id, what, new.workflow, new.version, at_step, why);
  end if;
  return null;
end $$;
create function "handrail"."note_deleted_trouble"() returns trigger language plpgsql as $$
begin
  insert into handrail.trouble (run_id) values (old.id);
  return null;
end $$;

create trigger "trouble_begun" after insert on "handrail"."run" for each row
  when (new.attention in ('failed', 'outcome_unknown', 'compensation_owed')) execute function "handrail"."note_trouble"();
create trigger "trouble_changed" after update of "attention" on "handrail"."run" for each row
  when (old.attention is distinct from new.attention
    and (old.attention in ('failed', 'outcome_unknown', 'compensation_owed')
      or new.attention in ('failed', 'outcome_unknown', 'compensation_owed')))
  execute function "handrail"."note_trouble"();
create trigger "trouble_deleted" after delete on "handrail"."run" for each row
  when (old.attention in ('failed', 'outcome_unknown', 'compensation_owed')) execute function "handrail"."note_deleted_trouble"();

-- The runs that are in trouble already.
insert into "handrail"."trouble" ("run_id", "at", "kind", "workflow", "version", "step", "error")
  select id, coalesce(finished_at, waiting_since, clock_timestamp()), 'failed', workflow, version, failed_step, error
  from handrail.run where attention = 'failed';
insert into "handrail"."trouble" ("run_id", "at", "kind", "workflow", "version", "step", "error")
  select run.id, coalesce(finished_at, waiting_since, clock_timestamp()), 'outcome_unknown', workflow, version, doubtful.name, doubtful.why
  from handrail.run left join lateral (select name, coalesce(step.doubt, step.error) as why from handrail.step
    where run_id = run.id and status = 'unknown' and superseded_by is null order by position limit 1) as doubtful on true
  where attention = 'outcome_unknown';
insert into "handrail"."trouble" ("run_id", "at", "kind", "workflow", "version", "step", "error")
  select run.id, coalesce(waiting_since, clock_timestamp()), 'undo_failed', workflow, version, undo.step, undo.error
  from handrail.run cross join lateral (select step, error from handrail.compensation
    where run_id = run.id and status = 'failed' order by position desc limit 1) as undo
  where attention = 'compensation_owed';
