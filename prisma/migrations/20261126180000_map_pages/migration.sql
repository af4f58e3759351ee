-- handrail: online
-- A page of ctx.mapSteps is a child run of its parent's workflow: the name of the map, whose items it runs (docs/decisions/028).
alter table handrail.run
  add column page_of text,
  add constraint run_page check (page_of is null or parent_run_id is not null) not valid;
