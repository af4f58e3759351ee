-- handrail: online
-- An outage is told with the number of runs that it has come to in its first seconds, not as one run.
create or replace function "handrail"."notice_of_problem"() returns trigger language plpgsql as $$
begin
  insert into handrail.notice (kind, workflows, step, problem_id, due_at)
    values ('problem.opened', array[new.workflow], new.step, new.id, clock_timestamp() + interval '5 seconds');
  return null;
end $$;
