/** Rules about operations. */
export const OPERATION_RULES = [
  {
    name: "The counts of an operation are those of its items",
    promise: "P9",
    meaning:
      "An item was counted without being carried out, or carried out without being counted. This is a bug in the engine: pause the operation, keep the rows and report them.",
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
      "A run was changed that the plan does not include. This is a bug in the engine: keep the rows and report them; the run's audit log shows what was done.",
    sql: `
      select item.operation_id, item.position, item.run_id from handrail.operation_item as item
      join handrail.operation on operation.id = item.operation_id
      where operation.forgotten_at is null and not exists (select from handrail.plan_item where plan_item.plan_id = operation.plan_id
        and plan_item.position = item.position and plan_item.run_id = item.run_id and plan_item.included)`,
  },
  {
    name: "Every change by an operation is in the audit log with its plan",
    promise: "P9",
    meaning: "A run was changed without an audit row. This is a bug in the engine: keep the rows and report them.",
    sql: `
      select item.operation_id, item.position, item.run_id from handrail.operation_item as item
      join handrail.operation on operation.id = item.operation_id
      where item.outcome = 'done' and not exists (select from handrail.audit where audit.run_id = item.run_id
        and audit.plan_id = operation.plan_id and audit.act = operation.act and audit.result = 'done')`,
  },
  {
    name: "A plan that needs a second approver was approved by someone other than its author",
    promise: "P9",
    meaning:
      "One person carried out an action that requires two. Keep the rows; the audit log of the plan's runs shows what was done, and by whom.",
    sql: `
      select operation.id, operation.plan_id from handrail.operation join handrail.plan on plan.id = operation.plan_id
      where coalesce((plan.totals -> 'secondPerson' ->> 'runs')::int, 0) > 0 and not exists (
        select from handrail.plan_approval as approval where approval.plan_id = plan.id and approval.status = 'used'
          and approval.plan_hash = plan.hash and approval.approver_id <> approval.proposer_id)`,
  },
  {
    name: "A running operation has a run that has not ended",
    promise: "P1",
    meaning:
      "This operation makes no progress: its run failed, was cancelled or is gone. Resume the operation to continue where it stopped, or abort it.",
    sql: `
      select operation.id, operation.run_id, run.status from handrail.operation
      left join handrail.run on run.id = operation.run_id
      where operation.status = 'running' and (run.id is null or run.finished_at < clock_timestamp() - interval '1 minute')`,
  },
  {
    name: "Remains of a deleted operation belong to one that is being deleted",
    promise: "P9",
    meaning:
      "Items without an operation, or an operation without its plan, that no worker is deleting: rows were deleted outside Handrail. Delete the items; that changes no run.",
    sql: `
      (select operation_id, null::uuid as plan_id from handrail.operation_item
        where not exists (select from handrail.operation where operation.id = operation_item.operation_id) group by operation_id)
      union all
      (select id, plan_id from handrail.operation
        where forgotten_at is null and not exists (select from handrail.plan where plan.id = operation.plan_id))`,
  },
] as const;
