-- handrail: online
-- A plan for one run is carried out by whoever asks for it: such an operation has no run of its own.
alter table "handrail"."operation" alter column "run_id" drop not null;
alter table "handrail"."operation" add constraint "operation_driven" check ("run_id" is not null or "finished_at" is not null);
