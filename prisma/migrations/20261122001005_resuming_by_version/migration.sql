-- handrail: online
-- What goes on, in each queue.
create index concurrently "run_queued_begun" on "handrail"."run" ("workflow", "queue_key", (coalesce(-"chosen_version", "code_version", "version")), "priority" desc, "id") where "queue_key" is not null and ("status" = 'pending' or "waiting_kind" = 'slot') and "due_at" is null and "started_at" is not null;
