-- Events, who waits for them, and the questions that are asked of people.

alter table "handrail"."run"
  -- Something that this run waits for has come about while somebody worked on it: it is to look again before it rests.
  add column "woken_at" timestamptz(6),
  -- False for runs that SQL has started: the worker checks their input against the workflow's schema.
  add column "input_checked" boolean not null default true;

-- What an event, a person or another run ends need not have a timer.
alter table "handrail"."step" drop constraint "step_waiting";
alter table "handrail"."step" add constraint "step_waiting" check (case "status"
  when 'waiting' then "next_attempt_at" is not null or "kind" in ('event', 'approval', 'child')
  else "next_attempt_at" is null end);

create table "handrail"."event" (
  -- The order in which events came.
  "seq" bigint generated always as identity,
  "name" text not null,
  -- The sender's: the same one counts once.
  "id" text not null,
  "run_id" uuid,
  "key" text,
  "payload" text not null,
  "sent_by" text,
  "sent_at" timestamptz(6) not null default clock_timestamp(),
  "taken_by" uuid,
  "taken_step" text,
  "taken_generation" integer,
  "taken_at" timestamptz(6),
  constraint "event_pkey" primary key ("seq"),
  -- To a run, to a business key, or to subscribers alone.
  constraint "event_address" check ("run_id" is null or "key" is null),
  -- Taken whole, by one step, or not at all.
  constraint "event_taken" check (num_nonnulls("taken_by", "taken_step", "taken_generation", "taken_at") in (0, 4))
);
create unique index "event_id_of_run" on "handrail"."event" ("run_id", "name", "id") where "run_id" is not null;
create unique index "event_id" on "handrail"."event" ("name", "id") where "run_id" is null;
create index "event_for_run" on "handrail"."event" ("run_id", "name", "seq") where "run_id" is not null and "taken_by" is null;
create index "event_for_key" on "handrail"."event" ("name", "key", "seq") where "key" is not null and "taken_by" is null;
create index "event_taken_by" on "handrail"."event" ("taken_by") where "taken_by" is not null;
create index "event_sent_at" on "handrail"."event" ("sent_at");

-- The row that sender and waiter of a business key both lock: whoever comes second sees the other.
create table "handrail"."event_key" (
  "name" text not null,
  "key" text not null,
  "used_at" timestamptz(6) not null default clock_timestamp(),
  constraint "event_key_pkey" primary key ("name", "key")
);

create table "handrail"."event_wait" (
  "run_id" uuid not null,
  "step" text not null,
  "generation" integer not null,
  -- The order in which waits came.
  "seq" bigint generated always as identity,
  "event" text not null,
  "key" text,
  -- Of an approval: what is asked, the answers there are, and what a person should see beside it.
  "question" text,
  "choices" jsonb,
  "data" text,
  "opened_at" timestamptz(6) not null default clock_timestamp(),
  "closed_at" timestamptz(6),
  constraint "event_wait_pkey" primary key ("run_id", "step", "generation"),
  constraint "event_wait_question" check (num_nonnulls("question", "choices", "data") in (0, 3))
);
create index "event_wait_for_key" on "handrail"."event_wait" ("event", "key", "seq") where "key" is not null and "closed_at" is null;
create index "event_wait_question" on "handrail"."event_wait" ("seq") where "question" is not null and "closed_at" is null;

-- Which workflow begins with each event of a name: as the newest version that a worker has told of says.
create table "handrail"."subscription" (
  "workflow" text not null,
  "version" integer not null,
  "event" text not null,
  constraint "subscription_pkey" primary key ("workflow")
);
create index "subscription_event" on "handrail"."subscription" ("event");

-- A UUIDv7 by the database's clock, also before PostgreSQL 18.
create function "handrail"."new_id"() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- Makes runs look for an event that they wait for: at once by their timer, or, while somebody works on them, before they rest.
create function "handrail"."wake_for_event"(of_runs uuid[], event_name text, event_key text) returns void language plpgsql as $$
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
      and (event_key is null or open.key = event_key)
      and step.status = 'waiting' and step.superseded_by is null);
end $$;

-- The queue of a run that no code has looked at: with limits, the one for all; whose key only the code can tell stands there too.
create function "handrail"."queue_of"(of_workflow text, of_version integer) returns text language plpgsql stable as $$
begin
  return (select '' from handrail.workflow
    where workflow.name = of_workflow and workflow.version = of_version and workflow.limits is not null);
end $$;

-- Keeps an event, wakes who waits for it, and starts a run of every subscriber, in the caller's transaction.
-- Gives 'sent', 'known' (this id counted before; nothing is written), 'unknown_run' or 'ended'.
-- Races with: waiters that look for events at this instant. Both lock the run's row, or the key's, before they look.
create function "handrail"."put_event"(
  event_name text, event_id text, to_run uuid, to_key text, content text, sender text
) returns text language plpgsql as $$
declare
  target_status text;
begin
  if to_run is not null then
    select run.status into target_status from handrail.run where run.id = to_run for no key update;
    if not found then return 'unknown_run'; end if;
    if exists (select from handrail.event where event.run_id = to_run and event.name = event_name and event.id = event_id)
      then return 'known'; end if;
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
  if not found then return 'known'; end if;
  if to_key is not null then
    perform handrail.wake_for_event(array(
      select distinct open.run_id from handrail.event_wait as open
      where open.event = event_name and open.key = to_key and open.closed_at is null), event_name, to_key);
  end if;
  with started as (
    insert into handrail.run (id, workflow, version, input, input_checked, tags, queue_key, idempotency_key)
    select handrail.new_id(), subscription.workflow, subscription.version, content, false,
      case when length(to_key) between 1 and 256
        then jsonb_build_object('eventKey', to_key) end,
      handrail.queue_of(subscription.workflow, subscription.version),
      'event:' || event_name || ':' || event_id
    from handrail.subscription where subscription.event = event_name
    on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
    returning id, tags
  )
  insert into handrail.run_tag (name, value, run_id)
  select tag.key, tag.value, started.id from started, jsonb_each_text(started.tags) as tag;
  return 'sent';
end $$;
