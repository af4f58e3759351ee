-- handrail: online
-- An operation past its time is forgotten first, and then deleted batch by batch: nobody is shown half of one.
alter table "handrail"."operation" add column "forgotten_at" timestamptz(6);
create index "operation_ended" on "handrail"."operation" ("finished_at") where "forgotten_at" is null;
create index "operation_forgotten" on "handrail"."operation" ("finished_at") where "forgotten_at" is not null;
