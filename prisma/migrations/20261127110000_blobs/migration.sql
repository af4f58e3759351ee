-- handrail: online
-- Values over 1 MiB are in the app's blob store, a reference in their place (docs/blobs.md). A row here is written before its bytes are,
-- and goes after them: nothing in the store is without one.
create table handrail.blob (
  key text not null,
  -- The one place that may refer to it.
  run_id uuid not null,
  place text not null,
  -- The claim that writes it; null: a start. While it lasts, it may still refer to the blob.
  writer_run_id uuid,
  writer_epoch bigint,
  size bigint not null,
  -- The id of the payload key that its bytes are sealed with; null: none.
  sealed_with text,
  made_at timestamptz(6) not null default clock_timestamp(),
  -- A row has referred to it.
  held boolean not null default false,
  -- No row refers to it, nor may one any more: it is to be deleted.
  gone_at timestamptz(6),
  due_at timestamptz(6),
  failures integer not null default 0,
  -- Of the last call of the store that failed.
  error text,
  constraint blob_pkey primary key (key),
  constraint blob_gone check ((gone_at is null) = (due_at is null)),
  constraint blob_writer check ((writer_run_id is null) = (writer_epoch is null))
);
create index blob_of_run on handrail.blob (run_id);
create index blob_unheld on handrail.blob (made_at) where not held and gone_at is null;
create index blob_due on handrail.blob (due_at) where gone_at is not null;

-- In the transaction that writes the reference: it holds the blob, or is refused if the blob is another place's or to be deleted.
create function handrail.hold_blob(reference text, of_run uuid, at_place text) returns void volatile language plpgsql as $$
begin
  update handrail.blob set held = true, error = null
    where key = reference::jsonb ->> 'key' and run_id = of_run and place = at_place and gone_at is null;
  if not found then
    raise exception 'handrail: the blob of this value is not there any more, or is another value''s: %', reference::jsonb ->> 'key'
      using errcode = 'foreign_key_violation';
  end if;
end $$;

create function handrail.let_blob_go(reference text) returns void volatile language sql as $$
  update handrail.blob set gone_at = clock_timestamp(), due_at = clock_timestamp()
  where key = reference::jsonb ->> 'key' and gone_at is null
$$;

create function handrail.blob_of_input() returns trigger language plpgsql as $$
begin
  if left(new.input, 15) = '{"$type":"blob"' then perform handrail.hold_blob(new.input, new.id, 'input'); end if;
  if tg_op = 'UPDATE' and left(old.input, 15) = '{"$type":"blob"' then perform handrail.let_blob_go(old.input); end if;
  return null;
end $$;

create function handrail.blob_of_output() returns trigger language plpgsql as $$
begin
  if left(new.output, 15) = '{"$type":"blob"' then perform handrail.hold_blob(new.output, new.id, 'output'); end if;
  if left(old.output, 15) = '{"$type":"blob"' then perform handrail.let_blob_go(old.output); end if;
  return null;
end $$;

create function handrail.blob_of_step() returns trigger language plpgsql as $$
begin
  if left(new.output, 15) = '{"$type":"blob"' then
    perform handrail.hold_blob(new.output, new.run_id, 'step ' || new.generation || ' ' || new.name);
  end if;
  if tg_op = 'UPDATE' and left(old.output, 15) = '{"$type":"blob"' then perform handrail.let_blob_go(old.output); end if;
  return null;
end $$;

create trigger blob_of_new_input after insert on handrail.run for each row
  when (left(new.input, 15) = '{"$type":"blob"') execute function handrail.blob_of_input();
create trigger blob_of_other_input after update of input on handrail.run for each row
  when (old.input is distinct from new.input
    and (left(new.input, 15) = '{"$type":"blob"' or left(old.input, 15) = '{"$type":"blob"'))
  execute function handrail.blob_of_input();
create trigger blob_of_output after update of output on handrail.run for each row
  when (old.output is distinct from new.output
    and (left(new.output, 15) = '{"$type":"blob"' or left(old.output, 15) = '{"$type":"blob"'))
  execute function handrail.blob_of_output();
create trigger blob_of_new_step after insert on handrail.step for each row
  when (left(new.output, 15) = '{"$type":"blob"') execute function handrail.blob_of_step();
create trigger blob_of_other_step after update of output on handrail.step for each row
  when (old.output is distinct from new.output
    and (left(new.output, 15) = '{"$type":"blob"' or left(old.output, 15) = '{"$type":"blob"'))
  execute function handrail.blob_of_step();

alter table handrail.run
  drop constraint run_waiting_kind,
  add constraint run_waiting_kind
    check (waiting_kind in ('timer', 'retry', 'event', 'child', 'slot', 'approval', 'operator', 'permit', 'blob')) not valid;
