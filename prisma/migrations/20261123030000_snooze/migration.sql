-- handrail: online
-- What operators have snoozed: it leaves what needs attention until then, or until it changes. The audit log has who and why.
create table handrail.snooze (
  run_id uuid not null,
  -- Of the step whose compensation is snoozed; empty: the run itself.
  step text not null default '',
  -- 'infinity': until it changes.
  until timestamptz(6) not null,
  -- The state in which it was snoozed: a run's revision; a compensation's generation, status and attempt.
  seen text not null,
  constraint snooze_pkey primary key (run_id, step)
);

alter table handrail.plan drop constraint plan_act, add constraint plan_act check (act in ('rerun', 'cancel', 'pause',
  'resume', 'wake', 'settle', 'compensate', 'mark_compensated', 'send_event', 'move', 'start_again', 'snooze'));
