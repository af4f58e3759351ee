-- handrail: online
-- Runs that wait at a step, newest first.
create index concurrently "run_by_waiting_step" on "handrail"."run" ("waiting_step", "id") where "waiting_step" is not null;
