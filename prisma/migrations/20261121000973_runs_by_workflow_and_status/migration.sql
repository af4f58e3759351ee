-- handrail: online
-- What went wrong in one workflow among many: the status alone would lead through the failures of all of them.
create index concurrently "run_by_workflow_status" on "handrail"."run" ("workflow", "status", "id") where "status" in ('failed', 'cancelled', 'compensating', 'compensated', 'paused');
