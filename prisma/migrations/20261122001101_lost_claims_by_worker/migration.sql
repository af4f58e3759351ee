-- handrail: online
-- Which runs were lost together.
create index concurrently "lost_claim_of_worker" on "handrail"."lost_claim" ("worker_id");
