/** Rules about plans. */
export const PLAN_RULES = [
  {
    name: "An item belongs to a plan",
    promise: "P9",
    meaning: "A plan's row was deleted outside Handrail and its items were not. Delete the items; that changes no run.",
    sql: `
      select plan_id, count(*) from handrail.plan_item
      where not exists (select from handrail.plan where plan.id = plan_item.plan_id) group by plan_id`,
  },
  {
    name: "A complete plan has as many items as it counts, numbered from 1",
    promise: "P9",
    meaning:
      "This plan no longer matches what was approved. This is a bug in the engine: make a new plan, keep the rows and report them.",
    sql: `
      select plan.id, plan.totals -> 'runs' as said, item.items from handrail.plan cross join lateral (
        select count(*) as items, count(*) filter (where included) as included, coalesce(max(position), 0) as last
        from handrail.plan_item where plan_id = plan.id) as item
      where plan.hash is not null and (plan.executed_at is not null or plan.expires_at > clock_timestamp())
        and ((plan.totals ->> 'runs')::int <> item.items or item.last <> item.items
          or (plan.totals ->> 'included')::int <> item.included)`,
  },
] as const;
