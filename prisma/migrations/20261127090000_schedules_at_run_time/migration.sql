-- handrail: online
-- A schedule is the code's, or made at run time: then any worker that has its workflow fires it (docs/schedules.md).
alter table handrail.schedule add column at_run_time boolean not null default false;
