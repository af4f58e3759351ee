-- Events that nobody took, and keys that nobody used for long: found by retention. Those of runs go with their runs.
drop index "handrail"."event_sent_at";
create index "event_unclaimed" on "handrail"."event" ("sent_at") where "run_id" is null and "taken_by" is null;
create index "event_key_used_at" on "handrail"."event_key" ("used_at");
