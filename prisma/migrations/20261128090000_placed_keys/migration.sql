-- handrail: online
-- In a fleet (docs/fleet.md): the cell in which an idempotency key lives. Only while a cell is being added, or keys go to another one.
create table handrail.placed_key (
  -- SHA-256 of the workflow's name, a line break and the key: a key may name a person.
  digest bytea not null,
  cell text not null,
  placed_at timestamptz(6) not null default clock_timestamp(),
  constraint placed_key_pkey primary key (digest),
  constraint placed_key_digest check (octet_length(digest) = 32)
);
create index placed_key_placed_at on handrail.placed_key (placed_at);
