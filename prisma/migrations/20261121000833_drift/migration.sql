-- What a pass found that runs code of another shape than the run was made by. One note per repair generation and version.
create table "handrail"."drift" (
  "run_id" uuid not null,
  "generation" integer not null,
  "version" integer not null,
  -- Done steps that the code did not come to; the first 100 of them, and how many there are.
  "gone" text[] not null,
  "gone_count" integer not null,
  -- What it would have run, or ran, before it came to them; null when it came to its end.
  "next" text,
  "stopped" boolean not null,
  "at" timestamptz(6) not null default clock_timestamp(),
  constraint "drift_pkey" primary key ("run_id", "generation", "version")
);
