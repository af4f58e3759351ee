-- handrail: online
-- People of the demo, as whom anybody on its machine may be: they have no password, and outside the demo they are nobody.
alter table "handrail"."person" add column "demo" boolean not null default false;
alter table "handrail"."person" alter column "password_hash" drop not null;
alter table "handrail"."person" add constraint "person_demo_has_no_password"
  check (not "demo" or "password_hash" is null);
