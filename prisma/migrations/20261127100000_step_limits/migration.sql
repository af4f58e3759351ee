-- handrail: online
-- Limits of steps, shared by name across workflows (docs/limits.md). A permit in use is an attempt without an outcome, of a claim that
-- lasts: no row says that a permit is free, so none can be lost with a process.

-- One row for each limit and key. Whoever gives permits away holds it, and waits for nothing else meanwhile.
create table handrail.step_limit (
  name text not null,
  -- A digest; empty without a key.
  key text not null,
  -- As the code that asked last declares it.
  concurrency integer,
  rate_limit integer,
  rate_per interval,
  -- The permits that count for the rate, oldest first.
  starts timestamptz(6)[] not null default '{}',
  -- The last place in its line.
  tickets bigint not null default 0,
  used_at timestamptz(6) not null,
  constraint step_limit_pkey primary key (name, key),
  constraint step_limit_bounds check (num_nonnulls(concurrency, rate_limit) > 0 and (rate_limit is null) = (rate_per is null))
);
create index step_limit_unused on handrail.step_limit (used_at);

create table handrail.permit (
  run_id uuid not null,
  step text not null,
  generation integer not null,
  limit_name text not null,
  limit_key text not null,
  -- It is in use until this attempt has an outcome, or this claim has ended.
  attempt integer not null,
  epoch bigint not null,
  taken_at timestamptz(6) not null default clock_timestamp(),
  constraint permit_pkey primary key (run_id, step, generation, limit_name, limit_key)
);
create index permit_of_limit on handrail.permit (limit_name, limit_key);

-- The line of a limit. A waiter counts until it is late: one that cannot come holds up nobody for long.
create table handrail.permit_wait (
  run_id uuid not null,
  step text not null,
  generation integer not null,
  limit_name text not null,
  limit_key text not null,
  ticket bigint not null,
  since timestamptz(6) not null default clock_timestamp(),
  -- When it asks again; the past once it was called.
  due_at timestamptz(6) not null,
  constraint permit_wait_pkey primary key (run_id, step, generation, limit_name, limit_key)
);
create index permit_wait_line on handrail.permit_wait (limit_name, limit_key, ticket);

alter table handrail.run
  drop constraint run_waiting_kind,
  add constraint run_waiting_kind
    check (waiting_kind in ('timer', 'retry', 'event', 'child', 'slot', 'approval', 'operator', 'permit')) not valid;

create function handrail.permit_is_held(given handrail.permit) returns boolean stable language sql as $$
  select exists (
    select from handrail.run where run.id = given.run_id and run.epoch = given.epoch and run.worker_id is not null
  ) and not exists (
    select from handrail.step where step.run_id = given.run_id and step.name = given.step and step.generation = given.generation
      and (step.attempt > given.attempt or (step.attempt = given.attempt and step.status <> 'running'))
  )
$$;

-- Whether a waiter may come: its run goes on, and it is not long overdue.
create function handrail.permit_wait_counts(given handrail.permit_wait) returns boolean volatile language sql as $$
  select given.due_at > clock_timestamp() - interval '5 s' and exists (
    select from handrail.run where run.id = given.run_id and run.finished_at is null and run.status <> 'paused')
$$;

-- How many permits are free, those that the line is to get included. The caller holds the row of the limit.
create function handrail.free_permits(of_limit text, of_key text) returns integer volatile language plpgsql as $$
declare
  bounds handrail.step_limit;
  held integer;
begin
  delete from handrail.permit using (
    select run_id, step, generation from handrail.permit
    where limit_name = of_limit and limit_key = of_key and not handrail.permit_is_held(permit) for update skip locked
  ) as over
  where permit.run_id = over.run_id and permit.step = over.step and permit.generation = over.generation
    and limit_name = of_limit and limit_key = of_key;
  update handrail.step_limit set starts = array(
      select at from unnest(starts) with ordinality as start (at, no) where at > clock_timestamp() - coalesce(rate_per, '0') order by no)
    where name = of_limit and key = of_key returning * into bounds;
  select count(*) into held from handrail.permit
    where limit_name = of_limit and limit_key = of_key and handrail.permit_is_held(permit);
  return greatest(least(bounds.concurrency - held, bounds.rate_limit - cardinality(bounds.starts)), 0);
end $$;

-- The first waiters, as many as permits are free, are to ask now. Gives their runs. The caller holds the row of the limit.
create function handrail.call_waiters(of_limit text, of_key text, free integer) returns uuid[] volatile language sql as $$
  with first as (
    select run_id, step, generation from handrail.permit_wait
    where limit_name = of_limit and limit_key = of_key and handrail.permit_wait_counts(permit_wait)
    order by ticket limit free
  ), called as (
    update handrail.permit_wait as waiter set due_at = clock_timestamp() from first
    where waiter.run_id = first.run_id and waiter.step = first.step and waiter.generation = first.generation
      and limit_name = of_limit and limit_key = of_key and due_at > clock_timestamp()
    returning waiter.run_id
  )
  select coalesce(array_agg(distinct run_id), '{}') from called
$$;

-- When a waiter asks again: when the rate has room for those before it and for it, or soon, in the order of the line, in case that nobody
-- calls it.
create function handrail.permit_due_at(bounds handrail.step_limit, held integer, place bigint) returns timestamptz volatile language plpgsql as $$
declare
  now timestamptz := clock_timestamp();
  counted bigint := cardinality(bounds.starts);
  -- Of those that count, so many must have ceased to.
  needed bigint := counted + place + 1 - bounds.rate_limit;
  soon timestamptz := now + least(5 + place * 0.25, 300) * interval '1 s';
  opens timestamptz;
begin
  if bounds.rate_limit is null or needed <= 0 then return soon; end if;
  opens := case when counted = 0 then now + bounds.rate_per * (place / bounds.rate_limit)
    else bounds.starts[(needed - 1) % counted + 1] + bounds.rate_per * (1 + (needed - 1) / counted) end;
  -- Places before it may come free without a call.
  if place > 0 then
    opens := least(opens, greatest(now + interval '5 min',
      bounds.starts[greatest(counted + 1 - bounds.rate_limit, 1)] + bounds.rate_per));
  end if;
  return case when bounds.concurrency <= held + place then greatest(opens, soon) else opens end;
end $$;

-- A permit of each of the limits, for one attempt of a step, or of none of them. Asking again after a lost answer takes nothing twice.
create function handrail.take_permits(
  of_run uuid, of_step text, of_generation integer, of_attempt integer, at_epoch bigint,
  names text[], keys text[], concurrencies integer[], rate_limits integer[], rate_ms float8[],
  out owned boolean, out due_at timestamptz, out called uuid[]
) volatile language plpgsql as $$
declare
  asked record;
  bounds handrail.step_limit;
  free integer;
  ahead integer;
  mine bigint;
  first bigint;
  held integer;
begin
  called := '{}';
  -- In one order, so that two askers never wait for each other.
  for asked in
    select * from unnest(names, keys, concurrencies, rate_limits, rate_ms) as given (name, key, concurrency, rate_limit, per_ms)
    order by name collate "C", key collate "C"
  loop
    insert into handrail.step_limit as known (name, key, concurrency, rate_limit, rate_per, used_at)
      values (asked.name, asked.key, asked.concurrency, asked.rate_limit, asked.per_ms * interval '1 ms', clock_timestamp())
      on conflict (name, key) do update set concurrency = excluded.concurrency, rate_limit = excluded.rate_limit,
        rate_per = excluded.rate_per, used_at = excluded.used_at;
  end loop;

  owned := exists (select from handrail.run where id = of_run and epoch = at_epoch and worker_id is not null);
  if not owned or exists (select from handrail.permit
    where run_id = of_run and step = of_step and generation = of_generation and attempt = of_attempt and epoch = at_epoch)
  then return; end if;

  -- What it waited for and is free now is not kept for it while it waits for another limit.
  update handrail.permit_wait as waiter set due_at = '-infinity'
    where run_id = of_run and step = of_step and generation = of_generation;
  for asked in select * from unnest(names, keys) as given (name, key) order by name collate "C", key collate "C" loop
    free := handrail.free_permits(asked.name, asked.key);
    select ticket into mine from handrail.permit_wait
      where run_id = of_run and step = of_step and generation = of_generation and limit_name = asked.name and limit_key = asked.key;
    select count(*) into ahead from (
      select from handrail.permit_wait where limit_name = asked.name and limit_key = asked.key
        and (mine is null or ticket < mine) and handrail.permit_wait_counts(permit_wait)
      order by ticket limit free) as line;
    continue when ahead < free;

    if free > 0 then called := called || handrail.call_waiters(asked.name, asked.key, free); end if;
    if mine is null then
      update handrail.step_limit set tickets = tickets + 1 where name = asked.name and key = asked.key returning tickets into mine;
    end if;
    select ticket into first from handrail.permit_wait
      where limit_name = asked.name and limit_key = asked.key and handrail.permit_wait_counts(permit_wait) order by ticket limit 1;
    select * into bounds from handrail.step_limit where name = asked.name and key = asked.key;
    select count(*) into held from handrail.permit where limit_name = asked.name and limit_key = asked.key;
    insert into handrail.permit_wait as waiter (run_id, step, generation, limit_name, limit_key, ticket, due_at)
      values (of_run, of_step, of_generation, asked.name, asked.key, mine,
        handrail.permit_due_at(bounds, held, greatest(mine - coalesce(first, mine), 0)))
      on conflict (run_id, step, generation, limit_name, limit_key) do update set due_at = excluded.due_at
      returning greatest(waiter.due_at, take_permits.due_at) into due_at;
  end loop;

  if due_at is not null then return; end if;
  delete from handrail.permit_wait where run_id = of_run and step = of_step and generation = of_generation;
  insert into handrail.permit as taken (run_id, step, generation, limit_name, limit_key, attempt, epoch)
    select of_run, of_step, of_generation, name, key, of_attempt, at_epoch from unnest(names, keys) as given (name, key)
    on conflict (run_id, step, generation, limit_name, limit_key) do update
      set attempt = excluded.attempt, epoch = excluded.epoch, taken_at = excluded.taken_at;
  update handrail.step_limit set starts = array_append(starts, clock_timestamp())
    from unnest(names, keys) as given (name, key)
    where step_limit.name = given.name and step_limit.key = given.key and rate_limit is not null;
end $$;

-- After permits came free: who is to ask now. Gives their runs.
create function handrail.call_for_permits(names text[], keys text[]) returns uuid[] volatile language plpgsql as $$
declare
  freed record;
  called uuid[] := '{}';
begin
  for freed in
    select distinct on (name collate "C", key collate "C") * from unnest(names, keys) as given (name, key)
    order by name collate "C", key collate "C"
  loop
    perform from handrail.step_limit where name = freed.name and key = freed.key for no key update;
    if exists (select from handrail.permit_wait where limit_name = freed.name and limit_key = freed.key) then
      called := called || handrail.call_waiters(freed.name, freed.key, handrail.free_permits(freed.name, freed.key));
    end if;
  end loop;
  return called;
end $$;
