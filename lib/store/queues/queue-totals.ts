import type { Db, Statement } from "../db";
import {
  GOES_FIRST,
  NO_LIMIT,
  type QueuedWorkflow,
  specOf,
  startsWithin,
  WORKFLOW_PARAMETERS,
  workflowValues,
} from "./queue-facts";

/** Whether a claim has to hold a row of `queue_total` before it checks the queues of this workflow. */
export const hasTotal = ({ limits }: QueuedWorkflow) => limits?.total != null || limits?.totalRate != null;

/**
 * What the workflows of the array `$at` let through in all their queues together, as a CTE `total` over `spec`. Counted
 * only where there is such a limit, under the lock of its row.
 */
export const totalOf = (at: number) => `total as materialized (
      select spec.workflow, spec.total_rate_limit, spec.total_rate_per,
        case when spec.total is null then ${NO_LIMIT} else spec.total - (
          select count(*) from handrail.run
          where run.workflow = spec.workflow and run.queue_key is not null and run.worker_id is not null) end as slots_of_all,
        case when spec.total_rate_limit is null then ${NO_LIMIT} else spec.total_rate_limit - ${startsWithin(
          "run.workflow = spec.workflow",
          "spec.total_rate_per",
          "spec.total_rate_limit",
        )} end as starts_of_all
      from spec where spec.workflow = any ($${at}::text[])
    )`;

/** A workflow whose queues a claim may check, and the least priority of those. */
export interface OpenWorkflow {
  workflow: string;
  least: number;
}

const ANY_PRIORITY = -1_000;

/*
 * Only the holder of the row gives slots of the workflow away, in any of its queues; other workers leave them to the
 * holder. As with the queues' own locks, the count is a later statement.
 */
const lockStatement: Statement = {
  name: "lock-queue-totals",
  text: `
    select workflow, case when starts_at > clock_timestamp() then ${GOES_FIRST} else ${ANY_PRIORITY} end as least
    from handrail.queue_total
    where workflow = any ($1::text[]) and not "full"
    order by workflow
    for no key update skip locked`,
};

/** Locks what the limits over all keys need, and returns which workflows are left to check. */
export async function lockTotals(tx: Db, workflows: readonly QueuedWorkflow[]): Promise<OpenWorkflow[]> {
  const free = workflows.filter((workflow) => !hasTotal(workflow));
  const open = free.map(({ name }) => ({ workflow: name, least: ANY_PRIORITY }));
  if (free.length === workflows.length) return open;
  const names = workflows.filter(hasTotal).map(({ name }) => name);
  return [...open, ...(await tx.query<OpenWorkflow>(lockStatement, [names]))];
}

/*
 * The state in which the claim leaves the workflows that it has locked: full until a note says that a slot was
 * released, or closed to new runs until the oldest start leaves the period.
 */
const settleStatement: Statement = {
  name: "settle-queue-totals",
  text: `
    with ${specOf(2)}, ${totalOf(2 + WORKFLOW_PARAMETERS)}
    update handrail.queue_total set
      "full" = slots_of_all <= 0,
      starts_at = case when starts_of_all <= 0 then (
        select run.started_at + total.total_rate_per from handrail.run
        where run.workflow = total.workflow and run.queue_key is not null and run.started_at is not null
        order by run.started_at desc offset total.total_rate_limit - 1 limit 1) end
    from total where queue_total.workflow = total.workflow`,
};

export async function settleTotals(
  tx: Db,
  workerId: number,
  workflows: readonly QueuedWorkflow[],
  locked: readonly OpenWorkflow[],
): Promise<void> {
  const limited = new Set(workflows.filter(hasTotal).map(({ name }) => name));
  const names = locked.map(({ workflow }) => workflow).filter((name) => limited.has(name));
  if (names.length > 0) await tx.query(settleStatement, [workerId, ...workflowValues(workflows), names]);
}
