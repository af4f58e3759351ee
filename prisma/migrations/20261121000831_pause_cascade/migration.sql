-- A pause that takes the children along, all levels down: the run whose pause holds this one, of that run its own id. A resume
-- takes those along that the same pause holds, and a child that is started meanwhile is born held.
alter table "handrail"."run"
  add column "pause_root" uuid,
  add constraint "run_pause_root" check ("pause_root" is null or "pause_requested_at" is not null);
