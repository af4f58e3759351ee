-- handrail: online
-- Lists and counts by status leave our own workflows out: with the workflow in the index they need no look at each run.
create index concurrently "run_in_status" on "handrail"."run" ("status", "id", "workflow") where "status" in ('failed', 'waiting', 'cancelled', 'compensating', 'compensated', 'paused');
