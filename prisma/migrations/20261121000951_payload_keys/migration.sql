-- handrail: online
-- With which keys a worker opens payloads that are sealed in the database: a run's page says when none of them has its key.
alter table "handrail"."worker" add column "payload_keys" text[] not null default '{}';
