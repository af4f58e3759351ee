-- Acts on workflows, such as a change of their limits, stand in the same audit.
alter table "handrail"."audit"
  alter column "run_id" drop not null,
  add column "workflow" text;
create index "audit_workflow" on "handrail"."audit" ("workflow", "id") where "workflow" is not null;
