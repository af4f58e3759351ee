-- handrail: online
-- The tags of a run: its deletion, and a debounced start, read no tags of other runs.
create index concurrently run_tag_run on handrail.run_tag (run_id);
