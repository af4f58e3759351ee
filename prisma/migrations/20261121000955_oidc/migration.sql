-- handrail: online
-- People of a sign-in provider (OpenID Connect). They are known by issuer and subject alone, and have no password here.
create table "handrail"."person_identity" (
  "issuer" text not null,
  "subject" text not null,
  "person_id" uuid not null,
  "by_groups" boolean not null,
  "created_at" timestamptz(6) not null default clock_timestamp(),
  constraint "person_identity_pkey" primary key ("issuer", "subject"),
  constraint "person_identity_person" foreign key ("person_id") references "handrail"."person" ("id") on delete cascade,
  constraint "person_identity_length" check (length("issuer") between 1 and 2000 and length("subject") between 1 and 255)
);
create unique index "person_identity_of_person" on "handrail"."person_identity" ("person_id");

-- Sign-ins that are on their way to the provider and back. The browser's cookie has the secret that the id is the SHA-256 of.
create table "handrail"."sign_in_flow" (
  "id" bytea not null,
  "issuer" text not null,
  "next" text not null,
  "invitation_hash" bytea,
  "expires_at" timestamptz(6) not null,
  constraint "sign_in_flow_pkey" primary key ("id"),
  constraint "sign_in_flow_id" check (length("id") = 32),
  constraint "sign_in_flow_next" check ("next" ~ '^/([^/]|$)' and length("next") <= 2000)
);
create index "sign_in_flow_age" on "handrail"."sign_in_flow" ("expires_at");
