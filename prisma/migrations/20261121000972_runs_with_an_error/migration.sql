-- handrail: online
-- Runs in whose errors a text is looked for.
create index concurrently "run_with_error" on "handrail"."run" ("id") where "error" is not null;
