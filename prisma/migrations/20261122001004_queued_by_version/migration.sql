-- handrail: online
-- What has not begun, in each queue.
create index concurrently "run_queued_new" on "handrail"."run" ("workflow", "queue_key", (coalesce(-"chosen_version", "code_version", "version")), "priority" desc, "id") where "queue_key" is not null and "status" = 'pending' and "due_at" is null and "started_at" is null;
