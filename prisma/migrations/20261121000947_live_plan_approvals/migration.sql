-- handrail: online
-- What waits for a second person, and what has their yes and waits to be carried out; longest first.
drop index "handrail"."plan_approval_open";
create index "plan_approval_live" on "handrail"."plan_approval" ("requested_at", "plan_id") where "status" in ('open', 'approved');
