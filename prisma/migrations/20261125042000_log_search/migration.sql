-- handrail: online
-- Log lines have a level and the trace in which they were logged.
alter table handrail.log
  add column level text not null default 'info',
  add column trace_id text,
  -- Not validated: every line so far has the default, and to check ten million of them would hold the table for seconds.
  add constraint log_level check (level in ('debug', 'info', 'warn', 'error')) not valid;

-- What the lines of a block contain, for searches across runs: block n has the lines whose ids are n * 512 to n * 512 + 511.
-- A worker writes it behind them (lib/worker/duties/fold-logs.ts): a line costs no entry in an index of words when it is logged.
create table handrail.log_block (
  block bigint not null,
  -- More than 0 only where the texts of a block are too long for one tsvector: then each part has some of its lines.
  part integer not null,
  first_at timestamptz(6) not null,
  last_at timestamptz(6) not null,
  -- Words, workflows, steps and levels; the first letter of an entry says which (lib/store/logs/log-words.ts).
  words tsvector not null,
  constraint log_block_pkey primary key (block, part)
);
create index log_block_words on handrail.log_block using gin (words);

-- Blocks that have lost lines: they are folded again, so that no word of a deleted line stays behind.
create table handrail.log_gone (
  block bigint not null
);
create function handrail.note_gone_lines() returns trigger language plpgsql as $$
begin
  insert into handrail.log_gone (block) select distinct id >> 9 from gone;
  return null;
end $$;
create trigger log_gone after delete on handrail.log referencing old table as gone
  for each statement execute function handrail.note_gone_lines();

-- How far the blocks are written. One worker writes them at a time: it locks this row.
create table handrail.log_fold (
  one boolean not null default true,
  -- The first block that is not written.
  next_block bigint not null default 0,
  -- No open transaction can still commit a line up to this id.
  settled_id bigint not null default 0,
  -- The next such id, and the transactions that have to end before.
  mark_id bigint,
  mark_held text[] not null default '{}',
  constraint log_fold_pkey primary key (one),
  constraint log_fold_one check (one)
);
insert into handrail.log_fold default values;
