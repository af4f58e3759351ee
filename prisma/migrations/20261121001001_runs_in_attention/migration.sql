-- handrail: online
-- The same by attention.
create index concurrently "run_in_attention" on "handrail"."run" ("attention", "id", "workflow") where "attention" is not null;
