-- handrail: online
-- Finds runs by their title or its beginning, in any case.
create index concurrently run_titled on handrail.run (lower(run_title) text_pattern_ops) where run_title is not null;
