-- handrail: online
-- A run that a person has started in another one's place. It goes with the new run; the old one may go before.
create table "handrail"."new_run" (
  "run_id" uuid not null,
  "from_run_id" uuid not null,
  constraint "new_run_pkey" primary key ("run_id"),
  constraint "new_run_other" check ("run_id" <> "from_run_id")
);
create index "new_run_from" on "handrail"."new_run" ("from_run_id", "run_id");

alter table "handrail"."plan" drop constraint "plan_act";
alter table "handrail"."plan" add constraint "plan_act" check ("act" in ('rerun', 'cancel', 'pause', 'resume', 'wake', 'settle',
  'compensate', 'mark_compensated', 'send_event', 'move', 'start_again'));
