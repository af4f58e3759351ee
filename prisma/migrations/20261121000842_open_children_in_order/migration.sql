-- With the order of ids in it, so that the first of them are found by walking its head, whatever the planner thinks of how
-- many children a run has.
drop index "handrail"."run_open_children";
create index "run_open_children" on "handrail"."run" ("parent_run_id", "id")
  where "parent_run_id" is not null and "finished_at" is null;
