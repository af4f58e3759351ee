-- handrail: online
-- What ended badly, by when it did.
create index concurrently "run_by_end" on "handrail"."run" ("finished_at", "id") where "status" in ('failed', 'cancelled', 'compensated');
