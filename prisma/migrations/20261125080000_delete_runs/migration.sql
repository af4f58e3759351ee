-- handrail: online
-- Runs that an operator deletes, before their retention does.
alter table handrail.plan drop constraint plan_act, add constraint plan_act check (act in ('rerun', 'cancel', 'pause',
  'resume', 'wake', 'settle', 'compensate', 'mark_compensated', 'send_event', 'move', 'start_again', 'snooze', 'delete'));
