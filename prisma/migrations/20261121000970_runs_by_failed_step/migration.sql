-- handrail: online
-- Runs that failed at a step, newest first.
create index concurrently "run_by_failed_step" on "handrail"."run" ("failed_step", "id") where "failed_step" is not null;
