-- Processes in other languages, which own runs over HTTP (lib/remote). Nothing of them is kept in memory.

-- Null for workers of this code. Beats over HTTP extend the lease by what the worker registered with.
alter table "handrail"."worker"
  add column "language" text,
  add column "lease_ms" integer,
  add constraint "worker_remote" check (num_nulls("language", "lease_ms") in (0, 2)),
  add constraint "worker_lease_ms" check ("lease_ms" between 1000 and 600000);

-- What a worker over HTTP has told of its workflow; null for one that is written in this code.
alter table "handrail"."workflow"
  add column "definition" jsonb,
  add constraint "workflow_definition" check ("definition" ->> 'language' is not null or "definition" is null);
