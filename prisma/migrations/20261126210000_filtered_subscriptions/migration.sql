-- handrail: online
-- A filter on the event that starts runs of a workflow (docs/events-and-approvals.md), as of waits. Null: every event of the name.
-- Workers of the version before leave it alone.
alter table handrail.subscription add column filter jsonb;

-- As before, with filters of subscriptions.
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
    from handrail.subscription
    where subscription.event = event_name and handrail.event_fits(content, subscription.filter)
    on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
    returning id, tags
  )
  insert into handrail.run_tag (name, value, run_id)
  select tag.key, tag.value, started.id from started, jsonb_each_text(started.tags) as tag;
  return 'sent';
end $$;
