-- handrail: online
-- What has begun and is ready.
create index concurrently "run_ready_resumed" on "handrail"."run" ("workflow", (coalesce(-"chosen_version", "code_version", "version")), "priority" desc, "id") where "status" = 'pending' and "due_at" is null and "queue_key" is null and "started_at" is not null;
