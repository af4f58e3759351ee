-- handrail: online
create unique index concurrently run_singleton on handrail.run (workflow, singleton_key) where singleton_key is not null and finished_at is null;
