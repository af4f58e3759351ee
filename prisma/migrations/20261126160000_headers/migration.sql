-- handrail: online
-- Headers of a start, such as a tenant or the id of a request: handed to its code and on to what that starts (docs/headers.md).
alter table handrail.run add column headers jsonb;

-- The rules of lib/engine/runs/headers.ts. Null for none.
create function handrail.checked_headers(given jsonb) returns jsonb language plpgsql immutable as $$
begin
  if given is null then return null; end if;
  if jsonb_typeof(given) <> 'object' then
    raise exception 'Headers are an object of texts.' using errcode = '22023';
  elsif (select count(*) > 16 or coalesce(bool_or(jsonb_typeof(header.value) <> 'string'
      or header.key !~ '^[a-z0-9][a-z0-9_-]{0,63}$'
      or length(header.value #>> '{}') not between 1 and 256
      or header.value #>> '{}' ~ '[\u0001-\u001f\u007f]'), false) from jsonb_each(given) as header) then
    raise exception 'Headers are 16 texts at most: names of 1 to 64 lower-case letters, digits, "_" and "-", texts of 1 to 256 characters without control characters.'
      using errcode = '22023';
  end if;
  return nullif(given, '{}');
end $$;

-- The functions as before, with headers. Workers and apps of the version before call them without.
drop function if exists handrail.put_event(text, text, uuid, text, text, text, text);
-- Keeps an event, wakes the runs that wait for it, and starts a run of every subscriber, in the caller's transaction.
-- The headers are of the runs that it starts: an event keeps none. Gives 'sent', 'known' (this id counted before; only the repetition is noted), 'unknown_run' or 'ended'.
-- Races with: waiters that look for events at this instant. Both lock the run's row, or the key's, before they look.
create function handrail.put_event(
  event_name text, event_id text, to_run uuid, to_key text, content text, sender text, sent_in text default null,
  given_headers jsonb default null
) returns text language plpgsql as $$
declare
  target_status text;
begin
  if to_run is not null then
    select run.status into target_status from handrail.run where run.id = to_run for no key update;
    if not found then return 'unknown_run'; end if;
    if exists (select from handrail.event where event.run_id = to_run and event.name = event_name and event.id = event_id) then
      perform handrail.note_repeat(event_name, event_id, to_run);
      return 'known';
    end if;
    if target_status not in ('pending', 'running', 'waiting', 'paused') then return 'ended'; end if;
    insert into handrail.event (name, id, run_id, payload, sent_by, trace)
      values (event_name, event_id, to_run, content, sender, sent_in);
    perform handrail.wake_for_event(array[to_run], event_name, null);
    return 'sent';
  end if;
  if to_key is not null then
    insert into handrail.event_key (name, key) values (event_name, to_key)
      on conflict (name, key) do update set used_at = clock_timestamp();
  end if;
  insert into handrail.event (name, id, key, payload, sent_by, trace)
    values (event_name, event_id, to_key, content, sender, sent_in) on conflict do nothing;
  if not found then
    perform handrail.note_repeat(event_name, event_id, null);
    return 'known';
  end if;
  if to_key is not null then
    perform handrail.wake_for_event(array(
      select distinct open.run_id from handrail.event_wait as open
      where open.event = event_name and open.key = to_key and open.closed_at is null), event_name, to_key);
  end if;
  with started as (
    insert into handrail.run (id, workflow, version, input, input_checked, tags, queue_key, idempotency_key, begun_by_event, trace, headers)
    select handrail.new_id(), subscription.workflow, subscription.version, content, false,
      case when length(to_key) between 1 and 256
        then jsonb_build_object('eventKey', to_key) end,
      handrail.queue_of(subscription.workflow, subscription.version),
      'event:' || event_name || ':' || event_id, event_name, sent_in, given_headers
    from handrail.subscription where subscription.event = event_name
    on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
    returning id, tags
  )
  insert into handrail.run_tag (name, value, run_id)
  select tag.key, tag.value, started.id from started, jsonb_each_text(started.tags) as tag;
  return 'sent';
end $$;

drop function if exists handrail.send_event(text, jsonb, text, uuid, text, text);
-- Sends an event as the library does; gives its id.
create function handrail.send_event(
  name text, payload jsonb, key text default null, run_id uuid default null, id text default null,
  traceparent text default null, headers jsonb default null
) returns text language plpgsql as $$
declare
  given_id text := coalesce(send_event.id, handrail.new_id()::text);
  outcome text;
begin
  if send_event.name is null or send_event.name !~ '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$' then
    raise exception '"%" cannot name an event.', send_event.name using errcode = '22023';
  elsif send_event.run_id is not null and send_event.key is not null then
    raise exception 'An event is for a run or for a key, not for both.' using errcode = '22023';
  elsif length(send_event.key) not between 1 and 255 or length(given_id) not between 1 and 255 then
    raise exception 'A key or id of an event has 1 to 255 characters.' using errcode = '22023';
  elsif send_event.run_id is not null and send_event.headers <> '{}' then
    raise exception 'An event to one run starts no run: it takes no headers.' using errcode = '22023';
  end if;
  outcome := handrail.put_event(send_event.name, given_id, send_event.run_id, send_event.key,
    handrail.checked_value(send_event.payload, 'payload'), null, handrail.checked_traceparent(send_event.traceparent),
    handrail.checked_headers(send_event.headers));
  if outcome = 'unknown_run' then
    raise exception 'There is no run %.', send_event.run_id using errcode = '22023';
  elsif outcome = 'ended' then
    raise exception 'Run % takes no events any more.', send_event.run_id using errcode = '22023';
  end if;
  if outcome = 'sent' then
    perform handrail.note_work();
  end if;
  return given_id;
end $$;

drop function if exists handrail.start_run(text, jsonb, text, timestamptz, integer, jsonb, text, interval, interval, integer);
-- Starts a run of the newest version that a worker has registered, or of the chosen one, once per idempotency key; gives its id.
create function handrail.start_run(
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
