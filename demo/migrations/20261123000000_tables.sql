-- The sample workflows' tables: an app's, not the engine's. No process makes them but the demo's (demo/migrate.ts).

create schema demo;

create table demo."order" (
  "id" text not null,
  "amount_cents" integer not null,
  "email" text not null,
  "status" text not null default 'created',
  "charge_id" text,
  "created_at" timestamptz(6) not null default now(),
  constraint "order_pkey" primary key ("id")
);

create table demo."stock_reservation" (
  "order_id" text not null,
  "quantity" integer not null,
  "created_at" timestamptz(6) not null default now(),
  constraint "stock_reservation_pkey" primary key ("order_id")
);

create table demo."profile" (
  "user_id" text not null,
  "image_key" text not null,
  "updated_at" timestamptz(6) not null default now(),
  constraint "profile_pkey" primary key ("user_id")
);

create table demo."account" (
  "id" text not null,
  "balance_cents" bigint not null default 0,
  constraint "account_pkey" primary key ("id")
);

-- One row per credit, on purpose without a unique key: were a credit made twice, it would show.
create table demo."account_entry" (
  "id" bigint generated always as identity,
  "account_id" text not null,
  "amount_cents" integer not null,
  "run_id" uuid not null,
  "created_at" timestamptz(6) not null default now(),
  constraint "account_entry_pkey" primary key ("id"),
  constraint "account_entry_account_id_fkey" foreign key ("account_id") references demo."account" ("id")
);
create index "account_entry_account_id" on demo."account_entry" ("account_id");

create table demo."synced_user" (
  "id" text not null,
  "name" text not null,
  "email" text not null,
  "synced_at" timestamptz(6) not null default now(),
  constraint "synced_user_pkey" primary key ("id")
);
