-- What a person is told of events: which of them came again and was not counted, and which one began a run.
alter table "handrail"."event"
  -- How often it came again with its id, and when last.
  add column "repeats" integer not null default 0,
  add column "repeated_at" timestamptz(6);
-- Rows of before fit, so that nobody has to wait while they are read.
alter table "handrail"."event" add constraint "event_repeated"
  check (("repeats" > 0) = ("repeated_at" is not null)) not valid;

-- The name of the event that began this run; the event's id is what follows it in the idempotency key.
alter table "handrail"."run" add column "begun_by_event" text;
alter table "handrail"."run" add constraint "run_begun_by_event"
  check ("begun_by_event" is null or starts_with("idempotency_key", 'event:' || "begun_by_event" || ':')) not valid;

-- A courtesy, and never in anybody's way: whoever holds the event at this moment is not waited for.
create function "handrail"."note_repeat"(event_name text, event_id text, to_run uuid) returns void language plpgsql as $$
declare
  known bigint;
begin
  if to_run is null then
    select event.seq into known from handrail.event
    where event.name = event_name and event.id = event_id and event.run_id is null for no key update skip locked;
  else
    select event.seq into known from handrail.event
    where event.name = event_name and event.id = event_id and event.run_id = to_run for no key update skip locked;
  end if;
  update handrail.event set repeats = event.repeats + 1, repeated_at = clock_timestamp() where event.seq = known;
end $$;

-- Keeps an event, wakes who waits for it, and starts a run of every subscriber, in the caller's transaction.
-- Gives 'sent', 'known' (this id counted before; only that it came again is noted), 'unknown_run' or 'ended'.
-- Races with: waiters that look for events at this instant. Both lock the run's row, or the key's, before they look.
create or replace function "handrail"."put_event"(
  event_name text, event_id text, to_run uuid, to_key text, content text, sender text
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
    insert into handrail.event (name, id, run_id, payload, sent_by)
      values (event_name, event_id, to_run, content, sender);
    perform handrail.wake_for_event(array[to_run], event_name, null);
    return 'sent';
  end if;
  if to_key is not null then
    insert into handrail.event_key (name, key) values (event_name, to_key)
      on conflict (name, key) do update set used_at = clock_timestamp();
  end if;
  insert into handrail.event (name, id, key, payload, sent_by)
    values (event_name, event_id, to_key, content, sender) on conflict do nothing;
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
    insert into handrail.run (id, workflow, version, input, input_checked, tags, queue_key, idempotency_key, begun_by_event)
    select handrail.new_id(), subscription.workflow, subscription.version, content, false,
      case when length(to_key) between 1 and 256
        then jsonb_build_object('eventKey', to_key) end,
      handrail.queue_of(subscription.workflow, subscription.version),
      'event:' || event_name || ':' || event_id, event_name
    from handrail.subscription where subscription.event = event_name
    on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
    returning id, tags
  )
  insert into handrail.run_tag (name, value, run_id)
  select tag.key, tag.value, started.id from started, jsonb_each_text(started.tags) as tag;
  return 'sent';
end $$;
