-- handrail: online
-- The function as before. How many are ahead is read up to the asker's own ticket; the first of a line read all behind it.

create or replace function handrail.take_permits(
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
    insert into handrail.step_limit as known (name, key, concurrency, rate_limit, rate_per, counts_for, used_at)
      values (asked.name, asked.key, asked.concurrency, asked.rate_limit, asked.per_ms * interval '1 ms', asked.per_ms * interval '1 ms',
        clock_timestamp())
      on conflict (name, key) do update set concurrency = excluded.concurrency, rate_limit = excluded.rate_limit,
        rate_per = excluded.rate_per, used_at = excluded.used_at,
        counts_for = greatest(known.counts_for, known.rate_per, excluded.rate_per);
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
        and ticket < coalesce(mine, 9223372036854775807) and handrail.permit_wait_counts(permit_wait)
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
    where step_limit.name = given.name and step_limit.key = given.key and counts_for is not null;
end $$;
