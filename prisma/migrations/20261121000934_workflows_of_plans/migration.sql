-- handrail: online
-- Of which workflows the runs of a plan are: who is bound to some may plan and carry out on these alone.
alter table "handrail"."plan" add column "workflows" text[] not null default '{}';
update "handrail"."plan" set "workflows" = array(
  select distinct "workflow" from "handrail"."plan_item" where "plan_id" = "plan"."id" order by 1) where "hash" is not null;
alter table "handrail"."operation" add column "workflows" text[] not null default '{}';
update "handrail"."operation" set "workflows" = "plan"."workflows" from "handrail"."plan" where "plan"."id" = "operation"."plan_id";
