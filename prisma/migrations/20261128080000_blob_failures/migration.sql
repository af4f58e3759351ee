-- handrail: online
-- Since when a value's calls of the blob store fail: people are told once runs have waited for too long (docs/blobs.md).
alter table handrail.blob
  -- Of the failures that follow each other; and the last of them. Of puts they go with the success, of gets they are left, and age.
  add column failing_since timestamptz(6),
  add column failed_at timestamptz(6),
  add constraint blob_failing check ((failing_since is null) = (failed_at is null)) not valid;

create or replace function handrail.hold_blob(reference text, of_run uuid, at_place text) returns void volatile language plpgsql as $$
begin
  update handrail.blob set held = true, error = null, failing_since = null, failed_at = null
    where key = reference::jsonb ->> 'key' and run_id = of_run and place = at_place and gone_at is null;
  if not found then
    raise exception 'handrail: the blob of this value is not there any more, or is another value''s: %', reference::jsonb ->> 'key'
      using errcode = 'foreign_key_violation';
  end if;
end $$;

alter table handrail.alert_rule
  drop constraint alert_rule_kind,
  add constraint alert_rule_kind check (kind in ('failure_ratio', 'backlog_age', 'live_workers', 'unknown_outcome_age', 'compensation_age',
    'schedule_late', 'duration_p95', 'blob_store_age'));
insert into handrail.alert_rule (id, name, source, kind, threshold, resolve_threshold, for_ms, resolve_for_ms, quiet_ms, severity, created_by)
values (gen_random_uuid(), 'blob-store', 'default', 'blob_store_age', 120000, 120000, 0, 60000, 900000, 'critical', 'handrail')
on conflict (name) do nothing;
