-- Whatever wakes a run that waits for a slot may make it due: it is let into its queue again at once.
alter table "handrail"."run"
  drop constraint "run_slot",
  add constraint "run_slot" check ("waiting_kind" <> 'slot' or "queue_key" is not null);
