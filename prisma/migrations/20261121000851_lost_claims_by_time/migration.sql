-- The overview counts those of the last hour.
create index "lost_claim_lost_at" on "handrail"."lost_claim" ("lost_at");
