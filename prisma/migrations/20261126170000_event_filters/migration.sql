-- handrail: online
-- Filters on events (docs/events-and-approvals.md): an array of clauses, { path, op, value }, as lib/engine/events/event-filter.ts writes them.
-- Workers of the version before leave them alone.
alter table handrail.event_wait add column filter jsonb;

-- Whether a payload fits a filter. Immutable, and without exceptions: a sender's transaction runs it.
create function handrail.event_fits(content text, filter jsonb) returns boolean language plpgsql immutable as $$
declare
  clause jsonb;
  held jsonb;
  wanted jsonb;
  fits boolean;
  direction integer;
begin
  if filter is null then return true; end if;
  for clause in select element from jsonb_array_elements(filter) as element loop
    held := content::jsonb #> array(select jsonb_array_elements_text(clause -> 'path'));
    wanted := clause -> 'value';
    if clause ->> 'op' = 'exists' then
      fits := (held is not null) = wanted::boolean;
    elsif held is null then
      fits := false;
    elsif clause ->> 'op' = 'in' then
      fits := held in (select jsonb_array_elements(wanted));
    elsif clause ->> 'op' = 'not' then
      fits := held not in (select jsonb_array_elements(wanted));
    elsif jsonb_typeof(held) <> jsonb_typeof(wanted) then
      fits := false;
    else
      -- Strings by code point, whatever the database's collation.
      direction := case jsonb_typeof(held)
        when 'number' then sign(held::numeric - wanted::numeric)
        else case when held #>> '{}' = wanted #>> '{}' then 0
          when (held #>> '{}') collate "C" < (wanted #>> '{}') collate "C" then -1 else 1 end
      end;
      fits := case clause ->> 'op' when 'gt' then direction > 0 when 'gte' then direction >= 0
        when 'lt' then direction < 0 when 'lte' then direction <= 0 end;
    end if;
    if fits is not true then return false; end if;
  end loop;
  return true;
end $$;

-- The functions as before, with filters.
drop function if exists handrail.wake_for_event(uuid[], text, text);
-- Makes runs look for an event that they wait for and that fits their filter: at once by their timer, or, while a worker has them, before they rest.
create function handrail.wake_for_event(of_runs uuid[], event_name text, event_key text, content text) returns void language plpgsql as $$
begin
  -- In one order, so that two senders cannot wait for each other.
  perform from handrail.run where run.id = any (of_runs) order by run.id for no key update;
  update handrail.run set
    due_at = case run.status when 'waiting' then least(run.due_at, clock_timestamp()) end,
    woken_at = case run.status when 'running' then clock_timestamp() end,
    revision = run.revision + 1
  -- A run that waits for a slot of its queue looks when it gets one.
  where run.id = any (of_runs) and run.status in ('waiting', 'running') and run.waiting_kind is distinct from 'slot' and exists (
    select from handrail.event_wait as open
    join handrail.step on step.run_id = open.run_id and step.name = open.step and step.generation = open.generation
    where open.run_id = run.id and open.event = event_name and open.closed_at is null
      and (event_key is null or open.key = event_key) and handrail.event_fits(content, open.filter)
      and step.status = 'waiting' and step.superseded_by is null);
end $$;

-- Keeps an event, wakes the runs that wait for it, and starts a run of every subscriber, in the caller's transaction.
-- The headers are of the runs that it starts: an event keeps none. Gives 'sent', 'known' (this id counted before; only the repetition is noted), 'unknown_run' or 'ended'.
-- Races with: waiters that look for events at this instant. Both lock the run's row, or the key's, before they look.
create or replace function handrail.put_event(
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
    perform handrail.wake_for_event(array[to_run], event_name, null, content);
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
      where open.event = event_name and open.key = to_key and open.closed_at is null
        and handrail.event_fits(content, open.filter)), event_name, to_key, content);
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
