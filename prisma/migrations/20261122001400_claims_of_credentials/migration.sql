-- handrail: online
-- Whose a registration of a worker over HTTP is: the id of the token that made it, or "bootstrap" or "anybody". Null: it was made before this.
alter table "handrail"."worker" add column "credential" text;
-- What proves that somebody holds a claim over HTTP: its epoch, and a hash of its secret and its credential. Null of other claims.
alter table "handrail"."run" add column "claim_proof" text;
