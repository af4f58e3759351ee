-- From a run that waits to the child that keeps it waiting: those that need a person, or that one has paused, among many.
create index "run_troubled_children" on "handrail"."run" ("parent_run_id", "id")
  where "parent_run_id" is not null and ("attention" is not null or "status" = 'paused');
