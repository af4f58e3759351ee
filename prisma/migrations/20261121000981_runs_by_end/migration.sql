-- handrail: online
create index concurrently "run_ended" on "handrail"."run" ("finished_at") where "finished_at" is not null;
