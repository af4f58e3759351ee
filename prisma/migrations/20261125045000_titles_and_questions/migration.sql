-- handrail: online
-- What people call the run, as its workflow names it; null: by a tag or its idempotency key.
alter table handrail.run add column run_title text;
