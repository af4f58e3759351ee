-- handrail: online
-- What has begun and waits for an instant.
create index concurrently "run_due_begun" on "handrail"."run" ("workflow", (coalesce(-"chosen_version", "code_version", "version")), "due_at") where "due_at" is not null and "queue_key" is null and "started_at" is not null;
