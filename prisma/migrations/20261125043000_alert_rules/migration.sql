-- handrail: online
-- Alert rules with thresholds, judged by Handrail itself (docs/alerts.md).
create table handrail.alert_rule (
  id uuid not null,
  name text not null,
  -- 'code': of an app's handrail.alerts.ts, which alone changes it. 'default': Handrail's, made below; people may change it.
  source text not null,
  -- Of code: the app's name, '' without one.
  app text,
  kind text not null,
  -- Only these; null: every workflow, each by itself, or all of them together.
  workflows text[],
  together boolean not null default false,
  -- In the unit of the kind: a share from 0 to 1, milliseconds, or workers. Beyond it a rule is breached; to resolve, the value
  -- must have come back as far as the other one.
  threshold double precision not null,
  resolve_threshold double precision not null,
  -- Of a share and of a percentile: which ends of runs count, and how many there must be.
  window_ms double precision,
  min_count integer,
  -- How long it must be breached before it fires, and clear before it resolves.
  for_ms double precision not null,
  resolve_for_ms double precision not null,
  -- After a message no other within this time, however often it fires.
  quiet_ms double precision not null,
  severity text not null,
  runbook text,
  -- When no message is sent: [{"days": [1, 7], "from": "22:00", "to": "06:00", "timeZone": "Europe/Berlin"}].
  mute_windows jsonb not null default '[]',
  enabled boolean not null default true,
  -- By a person, until then.
  muted_until timestamptz(6),
  muted_by text,
  revision bigint not null default 0,
  created_at timestamptz(6) not null default clock_timestamp(),
  created_by text not null,
  -- What the last judgement found.
  state text not null default 'ok',
  value double precision,
  -- The workflow or schedule that is worst.
  subject text,
  breached_since timestamptz(6),
  clear_since timestamptz(6),
  -- When it last queued a message that it fires.
  noticed_at timestamptz(6),
  constraint alert_rule_pkey primary key (id),
  constraint alert_rule_source check (source in ('code', 'console', 'default') and (source = 'code') = (app is not null)),
  constraint alert_rule_kind check (kind in ('failure_ratio', 'backlog_age', 'live_workers', 'unknown_outcome_age', 'compensation_age',
    'schedule_late', 'duration_p95')),
  constraint alert_rule_window check ((kind in ('failure_ratio', 'duration_p95')) = (window_ms is not null and min_count is not null)
    and num_nulls(window_ms, min_count) in (0, 2)),
  constraint alert_rule_together check (not together or workflows is null),
  constraint alert_rule_severity check (severity in ('critical', 'warning')),
  constraint alert_rule_muted check ((muted_until is null) = (muted_by is null)),
  constraint alert_rule_state check (state in ('ok', 'pending', 'firing')),
  constraint alert_rule_breached check ((state = 'ok') = (breached_since is null) and (clear_since is null or state = 'firing'))
);
create unique index alert_rule_name on handrail.alert_rule (name);

-- Each time that a rule fired.
create table handrail.alert (
  id uuid not null,
  rule_id uuid not null,
  -- As they were when it fired.
  value double precision,
  subject text,
  opened_at timestamptz(6) not null default clock_timestamp(),
  -- When the message was queued, and when it was handed over to destinations; null: the rule is muted or quiet.
  noticed_at timestamptz(6),
  told_at timestamptz(6),
  acknowledged_at timestamptz(6),
  acknowledged_by text,
  resolved_at timestamptz(6),
  constraint alert_pkey primary key (id),
  constraint alert_rule foreign key (rule_id) references handrail.alert_rule (id) on delete cascade,
  constraint alert_acknowledged check ((acknowledged_at is null) = (acknowledged_by is null)),
  constraint alert_told check (told_at is null or noticed_at is not null)
);
create unique index alert_open on handrail.alert (rule_id) where resolved_at is null;
create index alert_of_rule on handrail.alert (rule_id, opened_at desc);
create index alert_old on handrail.alert (resolved_at) where resolved_at is not null;

-- The row that processes lock to judge: one at a time, once a tick.
create table handrail.alert_turn (
  one boolean not null default true,
  judged_at timestamptz(6) not null default '-infinity',
  constraint alert_turn_pkey primary key (one),
  constraint alert_turn_one check (one)
);
insert into handrail.alert_turn default values;

alter table handrail.notice
  add column alert_id uuid,
  drop constraint notice_kind,
  add constraint notice_kind check (kind in ('problem.opened', 'problem.came_back', 'compensation.owed', 'compensation.failed',
    'approval.waiting', 'plan.waiting', 'operation.paused', 'destination.switched_off', 'alert.fired', 'alert.acknowledged',
    'alert.resolved')),
  drop constraint notice_about,
  add constraint notice_about check (num_nonnulls(run_id, problem_id, plan_id, operation_id, destination_id, alert_id) = 1);

-- The alert rules that a worker's code defines, and its app; null: code from before there were any.
alter table handrail.worker
  add column app text,
  add column alerts text[];

-- Thresholds that are wrong for nobody's money. They page no destination that existed before this migration.
insert into handrail.alert_rule (id, name, source, kind, threshold, resolve_threshold, window_ms, min_count, for_ms, resolve_for_ms,
  quiet_ms, severity, created_by)
select gen_random_uuid(), name, 'default', kind, threshold, resolve_threshold, window_ms, min_count, for_ms, resolve_for_ms, 900000,
  severity, 'handrail'
from (values
  ('no-worker', 'live_workers', 1, 1, null, null, 60000, 30000, 'critical'),
  ('failing', 'failure_ratio', 0.2, 0.1, 900000, 10, 120000, 300000, 'critical'),
  ('backlog-old', 'backlog_age', 300000, 60000, null, null, 120000, 120000, 'critical'),
  ('unknown-outcomes', 'unknown_outcome_age', 300000, 300000, null, null, 0, 60000, 'critical'),
  ('compensations-open', 'compensation_age', 3600000, 3600000, null, null, 0, 60000, 'warning'),
  ('schedule-late', 'schedule_late', 60000, 30000, null, null, 60000, 60000, 'warning')
) as given (name, kind, threshold, resolve_threshold, window_ms, min_count, for_ms, resolve_for_ms, severity);
