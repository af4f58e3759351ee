-- Which process a worker is, where that can be told: by it, a worker on the same machine knows that another has died.
alter table "handrail"."worker"
  add column "host" text,
  add column "pid" integer,
  add column "process_start" bigint,
  add constraint "worker_process" check (num_nulls("host", "pid", "process_start") in (0, 3)),
  add constraint "worker_pid" check ("pid" > 0);
