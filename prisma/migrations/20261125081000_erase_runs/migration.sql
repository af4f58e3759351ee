-- handrail: online
-- When an operator erased the data of an ended run (docs/privacy.md): its inputs, outputs, errors and texts are markers since.
alter table handrail.run add column erased_at timestamptz(6);

alter table handrail.plan drop constraint plan_act, add constraint plan_act check (act in ('rerun', 'cancel', 'pause',
  'resume', 'wake', 'settle', 'compensate', 'mark_compensated', 'send_event', 'move', 'start_again', 'snooze', 'delete',
  'erase'));
