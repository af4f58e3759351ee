/** Rules about operations. */
export const OPERATION_RULES = [
  {
    name: "The counts of an operation are those of its items",
    promise: "P9",
    meaning:
      "An item was counted without its act, or acted on without being counted. This is a bug of the engine: pause the operation, keep the rows and report them.",
    sql: `
      select operation.id, operation.position, item.items from handrail.operation cross join lateral (
        select count(*) as items, coalesce(max(position), 0) as last, count(*) filter (where outcome = 'done') as items_done
        from handrail.operation_item where operation_id = operation.id) as item
      where operation.forgotten_at is null and (operation.done + already + not_eligible + changed + failed <> item.items
        or operation.position <> item.last or operation.done <> item.items_done)`,
  },
  {
    name: "An item was carried out only if its plan includes it",
    promise: "P9",
    meaning:
      "A run was touched that nobody agreed to. This is a bug of the engine: keep the rows and report them; the run's audit tells what was done.",
    sql: `
      select item.operation_id, item.position, item.run_id from handrail.operation_item as item
      join handrail.operation on operation.id = item.operation_id
      where operation.forgotten_at is null and not exists (select from handrail.plan_item where plan_item.plan_id = operation.plan_id
        and plan_item.position = item.position and plan_item.run_id = item.run_id and plan_item.included)`,
  },
  {
    name: "What an operation has done is in the audit with its plan",
    promise: "P9",
    meaning:
      "A run was changed and the audit does not tell. This is a bug of the engine: keep the rows and report them.",
    sql: `
      select item.operation_id, item.position, item.run_id from handrail.operation_item as item
      join handrail.operation on operation.id = item.operation_id
      where item.outcome = 'done' and not exists (select from handrail.audit where audit.run_id = item.run_id
        and audit.plan_id = operation.plan_id and audit.act = operation.act and audit.result = 'done')`,
  },
  {
    name: "A plan that requires a second person was carried out with the approval of a person who did not request it",
    promise: "P9",
    meaning:
      "Something was done by one person that takes two. Keep the rows; the audit of the plan's runs tells what was done, and by whom.",
    sql: `
      select operation.id, operation.plan_id from handrail.operation join handrail.plan on plan.id = operation.plan_id
      where coalesce((plan.totals -> 'secondPerson' ->> 'runs')::int, 0) > 0 and not exists (
        select from handrail.plan_approval as approval where approval.plan_id = plan.id and approval.status = 'used'
          and approval.plan_hash = plan.hash and approval.approver_id <> approval.proposer_id)`,
  },
  {
    name: "An operation that runs has a run that has not ended",
    promise: "P1",
    meaning:
      "Nobody carries this operation out: its run failed, was cancelled or is gone. Resume the operation, and it goes on where it was; or abort it.",
    sql: `
      select operation.id, operation.run_id, run.status from handrail.operation
      left join handrail.run on run.id = operation.run_id
      where operation.status = 'running' and (run.id is null or run.finished_at < clock_timestamp() - interval '1 minute')`,
  },
  {
    name: "What is left of a deleted operation belongs to one that is being deleted",
    promise: "P9",
    meaning:
      "Items without an operation, or an operation without its plan that nobody is deleting: somebody deleted by hand. Delete the items; no run is touched by that.",
    sql: `
      (select operation_id, null::uuid as plan_id from handrail.operation_item
        where not exists (select from handrail.operation where operation.id = operation_item.operation_id) group by operation_id)
      union all
      (select id, plan_id from handrail.operation
        where forgotten_at is null and not exists (select from handrail.plan where plan.id = operation.plan_id))`,
  },
] as const;
