-- handrail: online
-- What a person has kept of the runs page: a name for the filters, columns and order of its address.
create table "handrail"."saved_view" (
  "id" uuid not null,
  "name" text not null,
  -- `person:…` or `token:…` with its id; `anybody` where nobody signs in.
  "owner_id" text not null,
  "owner" text not null,
  "shared" boolean not null,
  "state" jsonb not null,
  "revision" integer not null default 1,
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "updated_at" timestamptz(6) not null default clock_timestamp(),
  "updated_by" text not null,
  constraint "saved_view_pkey" primary key ("id"),
  constraint "saved_view_name" check (length("name") between 1 and 60 and "name" = btrim("name")),
  constraint "saved_view_state" check (jsonb_typeof("state") = 'object' and length("state"::text) <= 16000),
  constraint "saved_view_revision" check ("revision" >= 1)
);
create unique index "saved_view_of_owner" on "handrail"."saved_view" ("owner_id", "name");
create index "saved_view_shared" on "handrail"."saved_view" ("name") where "shared";
