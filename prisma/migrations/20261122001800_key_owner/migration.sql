-- handrail: online
-- Whose start this run is, where it had an idempotency key and came over HTTP: the same starter may repeat it and learn that it is
-- the same; others may be refused. Null: started by code or SQL, without a key, or before this.
alter table "handrail"."run" add column "key_owner" text;
