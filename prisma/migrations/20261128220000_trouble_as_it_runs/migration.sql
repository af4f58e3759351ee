-- handrail: online
-- The feed of problems has the version whose code failed, which is not always the one that the run began with; the next unknown step or
-- failed compensation of a run that still needs attention; and the deletion of each run that a problem once had.

-- Of runs that were deleted after they had left their problem. First, since nobody waits for it: from the triggers below to the commit,
-- writers of runs do. It takes some seconds at most; a row that it does not reach does no harm.
do $$
declare
  walked uuid := '00000000-0000-0000-0000-000000000000';
  late_at timestamptz := clock_timestamp() + interval '3 s';
begin
  -- As lockFold: folds write these rows.
  perform from handrail.problem_fold for update;
  while walked is not null and clock_timestamp() < late_at loop
    with looked_at as (
      select run_id from handrail.problem_run where run_id > walked order by run_id limit 1000
    ), gone as (
      delete from handrail.problem_run as held using looked_at
      where held.run_id = looked_at.run_id and held.left_at is not null
        and not exists (select from handrail.run where run.id = held.run_id)
    )
    select (select run_id from looked_at order by run_id desc limit 1) into walked;
  end loop;
end $$;

create or replace function handrail.note_trouble() returns trigger language plpgsql as $$
declare
  at_step text := new.failed_step;
  why text := new.error;
  what text := 'failed';
begin
  if new.attention = 'outcome_unknown' then
    select name, coalesce(step.doubt, step.error) into at_step, why from handrail.step
      where run_id = new.id and status = 'unknown' and superseded_by is null order by position limit 1;
    what := 'outcome_unknown';
  elsif new.attention = 'compensation_owed' then
    select compensation.step, compensation.error into at_step, why from handrail.compensation
      where run_id = new.id and status = 'failed' order by position desc limit 1;
    -- A compensation that was manual from the beginning has not failed.
    what := case when found then 'undo_failed' end;
  elsif new.attention is distinct from 'failed' then
    what := null;
  end if;
  if what is null then
    insert into handrail.trouble (run_id) values (new.id);
  else
    insert into handrail.trouble (run_id, kind, workflow, version, step, error)
      values (new.id, what, new.workflow, coalesce(new.code_version, new.version), at_step, why);
  end if;
  return null;
end $$;

create or replace function handrail.note_deleted_trouble() returns trigger language plpgsql as $$
begin
  if old.attention in ('failed', 'outcome_unknown', 'compensation_owed')
      or exists (select from handrail.problem_run where run_id = old.id) then
    insert into handrail.trouble (run_id) values (old.id);
  end if;
  return null;
end $$;

-- A run that still has what it needed attention for may have it at another step. Only what resolves, cancels or pauses such a run writes
-- its attention then; where it is the same step, the fold counts nothing.
create or replace trigger trouble_changed after update of attention on handrail.run for each row
  when (new.attention in ('outcome_unknown', 'compensation_owed')
    or (old.attention is distinct from new.attention
      and (old.attention in ('failed', 'outcome_unknown', 'compensation_owed') or new.attention = 'failed')))
  execute function handrail.note_trouble();
create or replace trigger trouble_deleted after delete on handrail.run for each row execute function handrail.note_deleted_trouble();
