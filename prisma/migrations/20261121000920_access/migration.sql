-- handrail: online
-- Who may sign in, and with what programs come. No secret is kept: of passwords argon2id, of everything else SHA-256.
create table "handrail"."person" (
  "id" uuid not null,
  "name" text not null,
  "password_hash" text not null,
  "role" text not null,
  "payload_read" boolean not null default false,
  "workflows" text[],
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "disabled_at" timestamptz(6),
  constraint "person_pkey" primary key ("id"),
  constraint "person_role" check ("role" in ('viewer', 'operator', 'admin')),
  constraint "person_name_form" check ("name" = lower("name") and length("name") between 1 and 100),
  constraint "person_password" check ("password_hash" like '$argon2id$%')
);
create unique index "person_name" on "handrail"."person" ("name");

create table "handrail"."session" (
  "id" uuid not null,
  "token_hash" bytea not null,
  "person_id" uuid not null,
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "seen_at" timestamptz(6) not null default clock_timestamp(),
  "expires_at" timestamptz(6) not null,
  "revoked_at" timestamptz(6),
  "address" text,
  "user_agent" text,
  constraint "session_pkey" primary key ("id"),
  constraint "session_person" foreign key ("person_id") references "handrail"."person" ("id") on delete cascade,
  constraint "session_hash" check (length("token_hash") = 32)
);
create unique index "session_token" on "handrail"."session" ("token_hash");
create index "session_of_person" on "handrail"."session" ("person_id", "id");

create table "handrail"."token" (
  "id" uuid not null,
  "name" text not null,
  "token_hash" bytea not null,
  "scopes" text[] not null,
  "workflows" text[],
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "created_by" text not null,
  "expires_at" timestamptz(6) not null,
  "used_at" timestamptz(6),
  "revoked_at" timestamptz(6),
  constraint "token_pkey" primary key ("id"),
  constraint "token_hash_length" check (length("token_hash") = 32),
  constraint "token_scopes" check (cardinality("scopes") > 0)
);
create unique index "token_hash" on "handrail"."token" ("token_hash");

-- A link to use once. One without a name makes the first person there is.
create table "handrail"."invitation" (
  "id" uuid not null,
  "token_hash" bytea not null,
  "name" text,
  "role" text not null,
  "payload_read" boolean not null default false,
  "workflows" text[],
  "created_at" timestamptz(6) not null default clock_timestamp(),
  "created_by" text not null,
  "expires_at" timestamptz(6) not null,
  "used_at" timestamptz(6),
  constraint "invitation_pkey" primary key ("id"),
  constraint "invitation_role" check ("role" in ('viewer', 'operator', 'admin')),
  constraint "invitation_hash" check (length("token_hash") = 32),
  constraint "invitation_first" check ("name" is not null or "role" = 'admin')
);
create unique index "invitation_token" on "handrail"."invitation" ("token_hash");
create unique index "invitation_first_open" on "handrail"."invitation" ("role") where "name" is null and "used_at" is null;

-- Passwords tried in vain, of an account or from an address; each makes the next wait for longer.
create table "handrail"."sign_in_attempt" (
  "key" text not null,
  "failures" int not null,
  "last_at" timestamptz(6) not null,
  "blocked_until" timestamptz(6) not null,
  constraint "sign_in_attempt_pkey" primary key ("key")
);
create index "sign_in_attempt_age" on "handrail"."sign_in_attempt" ("last_at");
