-- handrail: online
-- How many runs of each version of a workflow began and ended, and how long they took, by the minute and coarser. Workers keep it
-- by walking what has committed (lib/worker/fold-rollups.ts): whoever starts or ends a run writes nothing for it.
create table "handrail"."run_rollup" (
  -- The width of the period, in minutes, and its beginning. The version is that of the code that had the run last; of a start,
  -- the one that it began with.
  "minutes" smallint not null,
  "at" timestamptz(6) not null,
  "workflow" text not null,
  "version" integer not null,
  "started" integer not null default 0,
  "completed" integer not null default 0,
  "failed" integer not null default 0,
  "cancelled" integer not null default 0,
  "compensated" integer not null default 0,
  -- Attempts beyond the first of the steps that these runs executed.
  "retries" integer not null default 0,
  -- Histograms (lib/engine/histogram.ts): the buckets that hold anything, ascending, and how many each holds.
  "took_buckets" smallint[] not null default '{}',
  "took_counts" integer[] not null default '{}',
  "queued_buckets" smallint[] not null default '{}',
  "queued_counts" integer[] not null default '{}',
  constraint "run_rollup_pkey" primary key ("minutes", "at", "workflow", "version"),
  constraint "run_rollup_minutes" check ("minutes" in (1, 15, 60, 360)),
  constraint "run_rollup_counts" check (least("started", "completed", "failed", "cancelled", "compensated", "retries") >= 0),
  constraint "run_rollup_histograms" check (cardinality("took_buckets") = cardinality("took_counts")
    and cardinality("queued_buckets") = cardinality("queued_counts"))
) with (fillfactor = 70);

-- The same by step, in the period in which its run ended.
create table "handrail"."step_rollup" (
  "minutes" smallint not null,
  "at" timestamptz(6) not null,
  "workflow" text not null,
  "version" integer not null,
  -- Without what a loop makes of its name; empty for those of a workflow that has too many names.
  "step" text not null,
  "executions" integer not null default 0,
  "failures" integer not null default 0,
  "retries" integer not null default 0,
  "took_buckets" smallint[] not null default '{}',
  "took_counts" integer[] not null default '{}',
  constraint "step_rollup_pkey" primary key ("workflow", "minutes", "at", "version", "step"),
  constraint "step_rollup_minutes" check ("minutes" in (1, 15, 60, 360)),
  constraint "step_rollup_counts" check ("failures" between 0 and "executions" and "retries" >= 0),
  constraint "step_rollup_histograms" check (cardinality("took_buckets") = cardinality("took_counts"))
) with (fillfactor = 70);
create index "step_rollup_old" on "handrail"."step_rollup" ("minutes", "at");

-- The names that are told apart.
create table "handrail"."rollup_step" (
  "workflow" text not null,
  "step" text not null,
  constraint "rollup_step_pkey" primary key ("workflow", "step")
);

-- How far the fold has come. One worker folds at a time: whoever holds this row.
create table "handrail"."rollup_fold" (
  "one" boolean not null default true,
  -- Counted: every end up to this one, by its instant and then its run.
  "ended_at" timestamptz(6) not null default '-infinity',
  "ended_id" uuid not null default '00000000-0000-0000-0000-000000000000',
  -- And every start up to this id.
  "started_id" uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Before this instant nothing will be stamped any more that is not to be seen yet.
  "settled_at" timestamptz(6) not null default '-infinity',
  -- The next such instant, and the transactions that have to end before it is one.
  "mark_at" timestamptz(6),
  "mark_held" text[] not null default '{}',
  constraint "rollup_fold_pkey" primary key ("one"),
  constraint "rollup_fold_one" check ("one")
);
insert into "handrail"."rollup_fold" default values;

-- Ends that are no longer in their run's row, for it was reopened: a rerun, or an undo of what had completed.
create table "handrail"."run_end" (
  "run_id" uuid not null,
  "at" timestamptz(6) not null,
  "workflow" text not null,
  "version" integer not null,
  "generation" integer not null,
  "status" text not null,
  "created_at" timestamptz(6) not null,
  "started_at" timestamptz(6),
  constraint "run_end_pkey" primary key ("run_id", "at")
);
create index "run_end_at" on "handrail"."run_end" ("at", "run_id");

-- By a trigger, for runs are reopened in several statements, also of workers older than this. The end of a run costs the condition alone.
create function "handrail"."keep_run_end"() returns trigger language plpgsql as $$
begin
  insert into handrail.run_end (run_id, at, workflow, version, generation, status, created_at, started_at)
    values (old.id, old.finished_at, old.workflow, coalesce(old.code_version, old.version), old.generation,
      old.status, old.created_at, old.started_at)
    on conflict do nothing;
  return null;
end $$;
create trigger "run_reopened" after update of "finished_at" on "handrail"."run" for each row
  when (old.finished_at is not null and new.finished_at is null) execute function "handrail"."keep_run_end"();
