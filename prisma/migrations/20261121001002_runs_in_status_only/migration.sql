-- handrail: online
-- What "run_in_status" has taken over.
drop index concurrently "handrail"."run_by_status";
