-- handrail: online
-- The function as before, which refuses a run_at that no program can read: infinity, and what comes after four-digit years.

-- Starts a run of the newest version that a worker has registered, or of the chosen one, once per idempotency key; gives its id.
create or replace function handrail.start_run(
  workflow text, input jsonb, idempotency_key text default null, run_at timestamptz default null,
  priority integer default 0, tags jsonb default '{}', traceparent text default null,
  begin_within interval default null, end_within interval default null, version integer default null, headers jsonb default null
) returns uuid language plpgsql as $$
#variable_conflict use_column
declare
  newest integer := (select max(known.version) from handrail.workflow as known where known.name = start_run.workflow);
  begun_as integer := coalesce(start_run.version, newest);
  due timestamptz := case when start_run.run_at > clock_timestamp() then start_run.run_at end;
  counts_from timestamptz := coalesce(due, clock_timestamp());
  content text := handrail.checked_value(start_run.input, 'input');
  started uuid;
  earlier text;
begin
  if newest is null then
    raise exception 'There is no workflow named "%": no worker has registered it yet.', start_run.workflow using errcode = '22023';
  elsif not exists (select from handrail.workflow as known where known.name = start_run.workflow and known.version = begun_as) then
    raise exception 'Workflow "%" has no version %; the newest is %.', start_run.workflow, begun_as, newest using errcode = '22023';
  elsif least(start_run.begin_within, start_run.end_within) <= interval '0'
      or greatest(start_run.begin_within, start_run.end_within) > interval '366 days' then
    raise exception 'begin_within and end_within are more than 0 and at most 366 days.' using errcode = '22023';
  elsif start_run.run_at >= timestamptz '10000-01-01 00:00:00+00' then
    raise exception 'run_at is before the year 10000.' using errcode = '22023';
  elsif start_run.priority is null or abs(start_run.priority) > 100 then
    raise exception 'A priority is a whole number from -100 to 100.' using errcode = '22023';
  elsif length(start_run.idempotency_key) not between 1 and 255 then
    raise exception 'An idempotency key has 1 to 255 characters.' using errcode = '22023';
  elsif jsonb_typeof(start_run.tags) <> 'object' or (select count(*) > 16 or coalesce(bool_or(
      jsonb_typeof(tag.value) <> 'string' or length(tag.key) not between 1 and 64
      or length(tag.value #>> '{}') not between 1 and 256), false) from jsonb_each(start_run.tags) as tag) then
    raise exception 'Tags are an object of 16 texts at most: names of 1 to 64 characters, texts of 1 to 256.' using errcode = '22023';
  end if;
  insert into handrail.run (id, workflow, version, input, input_checked, tags, idempotency_key, due_at, priority, queue_key, trace,
    begin_by, deadline_at, chosen_version, headers)
  values (handrail.new_id(), start_run.workflow, begun_as, content, false, nullif(start_run.tags, '{}'),
    start_run.idempotency_key, due,
    start_run.priority, handrail.queue_of(start_run.workflow, begun_as),
    handrail.checked_traceparent(start_run.traceparent),
    counts_from + start_run.begin_within, counts_from + start_run.end_within, start_run.version,
    handrail.checked_headers(start_run.headers))
  on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
  returning id into started;
  if started is not null then
    insert into handrail.run_tag (name, value, run_id)
      select tag.key, tag.value, started from jsonb_each_text(start_run.tags) as tag;
    if due is null then
      perform handrail.note_work();
    end if;
    return started;
  end if;
  select run.id, run.input into started, earlier from handrail.run
    where run.idempotency_key = start_run.idempotency_key and run.workflow = start_run.workflow;
  if earlier::jsonb is distinct from content::jsonb then
    raise exception 'The idempotency key "%" has started a run of "%" with another input.',
      start_run.idempotency_key, start_run.workflow using errcode = '23505';
  end if;
  return started;
end $$;

-- Runs that it took, which nobody could read or cancel: they still wait for longer than anybody will. The index run_delayed finds them.
update handrail.run set due_at = timestamptz '9999-12-31 00:00:00+00',
  begin_by = case when begin_by is not null then timestamptz '9999-12-31 00:00:00+00' end,
  deadline_at = case when deadline_at is not null then timestamptz '9999-12-31 00:00:00+00' end
  where status = 'pending' and due_at = 'infinity';
