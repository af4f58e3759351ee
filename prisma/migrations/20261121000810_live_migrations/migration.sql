-- handrail: online
-- What workers have to know of migrations that came after them: docs/upgrading.md.

create table "handrail"."migration" (
  "name" text not null,
  -- Whether workers that do not know it may go on beside it.
  "online" boolean not null,
  "applied_at" timestamptz(6) not null default clock_timestamp(),
  constraint "migration_pkey" primary key ("name")
);

-- Somebody migrates, and asks the workers to stand aside. At most one row; it ends by itself when nobody renews it.
create table "handrail"."drain" (
  "one" boolean not null default true,
  "migration" text not null,
  "requested_at" timestamptz(6) not null default clock_timestamp(),
  "until_at" timestamptz(6) not null,
  constraint "drain_pkey" primary key ("one"),
  constraint "drain_one" check ("one")
);
