-- handrail: online
-- Runs that have not begun and must begin or end by then.
create index concurrently run_overdue on handrail.run (least(begin_by, deadline_at))
  where status = 'pending' and started_at is null and least(begin_by, deadline_at) is not null;
