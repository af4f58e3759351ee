-- handrail: online
-- Probes of problems (docs/problems.md): one affected run is rerun after another, with pauses that grow, until one gets through.
create table handrail.probe (
  id uuid not null,
  problem_id uuid not null,
  -- Of Handrail's own workflow, which judges each rerun and begins the next.
  run_id uuid not null,
  "by" jsonb not null,
  reason text not null,
  most_tries integer not null,
  status text not null default 'running',
  -- Why it ended without a run that got through.
  because text,
  -- After a rerun that failed again: when the next one is due.
  next_at timestamptz(6),
  started_at timestamptz(6) not null default clock_timestamp(),
  ended_at timestamptz(6),
  constraint probe_pkey primary key (id),
  constraint probe_status check (status in ('running', 'through', 'failed', 'stopped')),
  constraint probe_ended check ((status = 'running') = (ended_at is null) and (status = 'running' or next_at is null)),
  constraint probe_because check ((status in ('failed', 'stopped')) = (because is not null)),
  constraint probe_most_tries check (most_tries between 1 and 20)
);
create unique index probe_running on handrail.probe (problem_id) where status = 'running';
create index probe_problem on handrail.probe (problem_id, id);

-- Its reruns. At most one is under way, the last.
create table handrail.probe_try (
  probe_id uuid not null,
  number integer not null,
  run_id uuid not null,
  -- The step that had failed; null: between steps.
  step text,
  at timestamptz(6) not null default clock_timestamp(),
  -- Null while it is under way.
  outcome text,
  because text,
  ended_at timestamptz(6),
  constraint probe_try_pkey primary key (probe_id, number),
  constraint probe_try_probe foreign key (probe_id) references handrail.probe (id) on delete cascade,
  constraint probe_try_outcome check (outcome in ('through', 'failed', 'otherwise', 'unknown', 'interrupted', 'undecided')),
  constraint probe_try_ended check ((outcome is null) = (ended_at is null))
);
create unique index probe_try_under_way on handrail.probe_try (probe_id) where outcome is null;
