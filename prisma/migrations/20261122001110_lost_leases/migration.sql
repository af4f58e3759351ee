-- handrail: online
-- When a worker gave itself up because its lease was gone: the next one on the same machine begins with less.
alter table "handrail"."worker" add column "lease_lost_at" timestamptz(6);
