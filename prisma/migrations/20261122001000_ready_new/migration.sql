-- handrail: online
-- Claims walk a version at a time: what has not begun and is ready. These indexes lead with an expression, which schema.prisma cannot say.
create index concurrently "run_ready_new" on "handrail"."run" ("workflow", (coalesce(-"chosen_version", "code_version", "version")), "priority" desc, "id") where "status" = 'pending' and "due_at" is null and "queue_key" is null and "started_at" is null;
