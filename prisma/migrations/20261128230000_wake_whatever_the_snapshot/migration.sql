-- handrail: online
-- The function as before. A sender whose transaction is REPEATABLE READ or SERIALIZABLE may not see a wait that was recorded after its snapshot: it wakes the run in any case.

-- Makes runs look for an event that they wait for and that fits their filter: at once by their timer, or, while a worker has them, before they rest.
create or replace function handrail.wake_for_event(of_runs uuid[], event_name text, event_key text, content text) returns void language plpgsql as $$
begin
  -- In one order, so that two senders cannot wait for each other.
  perform from handrail.run where run.id = any (of_runs) order by run.id for no key update;
  update handrail.run set
    due_at = case run.status when 'waiting' then least(run.due_at, clock_timestamp()) end,
    woken_at = case run.status when 'running' then clock_timestamp() end,
    revision = run.revision + 1
  -- A run that waits for a slot of its queue looks when it gets one.
  where run.id = any (of_runs) and run.status in ('waiting', 'running') and run.waiting_kind is distinct from 'slot' and (
    -- By a key, the runs were found by their waits, and who records a wait changes the key's row: there the database refuses the older snapshot.
    (event_key is null and current_setting('transaction_isolation') <> 'read committed') or exists (
    select from handrail.event_wait as open
    join handrail.step on step.run_id = open.run_id and step.name = open.step and step.generation = open.generation
    where open.run_id = run.id and open.event = event_name and open.closed_at is null
      and (event_key is null or open.key = event_key) and handrail.event_fits(content, open.filter)
      and step.status = 'waiting' and step.superseded_by is null));
end $$;
