-- handrail: online
-- Workers hear of starts and events by SQL when the transaction commits. A NOTIFY makes commits of the whole server wait for each
-- other: who starts thousands a second sets handrail.notes to off, for a transaction, a session or a role (docs/sql.md).
create function "handrail"."note_work"() returns void language plpgsql as $$
begin
  if coalesce(current_setting('handrail.notes', true), '') <> 'off' then
    perform pg_notify('handrail_work', '');
  end if;
end $$;

-- Starts a run of the newest version that a worker has told of, once per idempotency key; gives its id.
create or replace function "handrail"."start_run"(
  "workflow" text, "input" jsonb, "idempotency_key" text default null, "run_at" timestamptz default null,
  "priority" integer default 0, "tags" jsonb default '{}'
) returns uuid language plpgsql as $$
#variable_conflict use_column
declare
  newest integer := (select max(known.version) from handrail.workflow as known where known.name = start_run.workflow);
  content text := handrail.checked_value(start_run.input, 'input');
  started uuid;
  earlier text;
begin
  if newest is null then
    raise exception 'There is no workflow named "%": no worker has told of it yet.', start_run.workflow using errcode = '22023';
  elsif start_run.priority is null or abs(start_run.priority) > 100 then
    raise exception 'A priority is a whole number from -100 to 100.' using errcode = '22023';
  elsif length(start_run.idempotency_key) not between 1 and 255 then
    raise exception 'An idempotency key has 1 to 255 characters.' using errcode = '22023';
  elsif jsonb_typeof(start_run.tags) <> 'object' or (select count(*) > 16 or coalesce(bool_or(
      jsonb_typeof(tag.value) <> 'string' or length(tag.key) not between 1 and 64
      or length(tag.value #>> '{}') not between 1 and 256), false) from jsonb_each(start_run.tags) as tag) then
    raise exception 'Tags are an object of 16 texts at most: names of 1 to 64 characters, texts of 1 to 256.' using errcode = '22023';
  end if;
  insert into handrail.run (id, workflow, version, input, input_checked, tags, idempotency_key, due_at, priority, queue_key)
  values (handrail.new_id(), start_run.workflow, newest, content, false, nullif(start_run.tags, '{}'),
    start_run.idempotency_key, case when start_run.run_at > clock_timestamp() then start_run.run_at end,
    start_run.priority, handrail.queue_of(start_run.workflow, newest))
  on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
  returning id into started;
  if started is not null then
    insert into handrail.run_tag (name, value, run_id)
      select tag.key, tag.value, started from jsonb_each_text(start_run.tags) as tag;
    if start_run.run_at is null or start_run.run_at <= clock_timestamp() then
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

-- Sends an event to a run, to a business key, or to the workflows that begin with it, once per name and id; gives the id.
create or replace function "handrail"."send_event"(
  "name" text, "payload" jsonb, "key" text default null, "run_id" uuid default null, "id" text default null
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
  end if;
  outcome := handrail.put_event(send_event.name, given_id, send_event.run_id, send_event.key,
    handrail.checked_value(send_event.payload, 'payload'), null);
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
