-- Runs that go on with a chosen version only: few, and looked at for those that no worker has.
create index "run_chosen" on "handrail"."run" ("workflow", "chosen_version") where "chosen_version" is not null and "finished_at" is null;
