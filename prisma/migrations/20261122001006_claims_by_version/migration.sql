-- handrail: drain
-- Workers of the release before take runs of any version, along indexes that nothing else walks.
drop index "handrail"."run_ready";
drop index "handrail"."run_ready_begun";
drop index "handrail"."run_due";
drop index "handrail"."run_queued";
drop index "handrail"."run_resuming";

-- Which versions some worker had until a short while ago: each claim looks at those that have stopped since.
create index "worker_stopped" on "handrail"."worker" ("stopped_at") where "stopped_at" is not null;
