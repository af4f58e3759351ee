-- handrail: online
-- What "run_in_attention" has taken over.
drop index concurrently "handrail"."run_by_attention";
