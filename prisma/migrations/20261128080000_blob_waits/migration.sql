-- handrail: online
-- Since when a run waits for the blob store: people are notified once it has for too long (docs/blobs.md).
create table handrail.blob_wait (
  -- The run that waits, also for a value of another run.
  run_id uuid not null,
  -- What the store said last.
  error text not null,
  -- Of the failures that follow each other: how many, the first and the last one. What is long ago is over.
  failures integer not null,
  since timestamptz(6) not null,
  failed_at timestamptz(6) not null,
  constraint blob_wait_pkey primary key (run_id)
);
create index blob_wait_failed on handrail.blob_wait (failed_at);

alter table handrail.alert_rule
  drop constraint alert_rule_kind,
  add constraint alert_rule_kind check (kind in ('failure_ratio', 'backlog_age', 'live_workers', 'unknown_outcome_age', 'compensation_age',
    'schedule_late', 'duration_p95', 'blob_store_age'));
insert into handrail.alert_rule (id, name, source, kind, threshold, resolve_threshold, for_ms, resolve_for_ms, quiet_ms, severity, created_by)
values (gen_random_uuid(), 'blob-store', 'default', 'blob_store_age', 120000, 120000, 0, 60000, 900000, 'critical', 'handrail')
on conflict (name) do nothing;
