-- handrail: online
-- Steps that cancel another run, send an event, or publish a value (docs/other-runs.md). Not checked over the rows there are:
-- the earlier kinds are among these.
alter table handrail.step
  drop constraint step_kind,
  add constraint step_kind check (kind in ('step', 'transaction', 'sleep', 'event', 'approval', 'child', 'cancel', 'send', 'publish')) not valid;
