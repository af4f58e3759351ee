-- An operator holds a run: what is in flight finishes, nothing new of it begins until somebody lets it go on.
alter table "handrail"."run"
  -- Since when somebody wants it held; a running run is let come to rest first, a paused one keeps it.
  add column "pause_requested_at" timestamptz(6),
  -- Of a paused run that has not begun: when it was to.
  add column "held_due_at" timestamptz(6);

update "handrail"."run" set "pause_requested_at" = clock_timestamp() where "status" = 'paused';

alter table "handrail"."run"
  add constraint "run_paused" check ("status" <> 'paused' or ("pause_requested_at" is not null and "due_at" is null)),
  add constraint "run_held" check ("held_due_at" is null or "status" = 'paused');
