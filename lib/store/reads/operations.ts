import type { ItemOutcome } from "../../engine/operations/operation";
import type { Attention, RunStatus } from "../../engine/runs/run";
import type { Db, Statement } from "../db";
import { type OperationRow, operationColumns } from "../operations/operations";
import type { PlanItemRow } from "../operations/plans";
import type { RowInstant } from "../rows";
import { namedRun, type RunNaming } from "./run-naming";

/** `run_status`: of the run that carries it out; null without one, or if it was deleted. */
export type SeenOperationRow = OperationRow & { run_status: RunStatus | null };

const columns = `${operationColumns},
      (select run.status from handrail.run where run.id = operation.run_id) as run_status`;

const selectStatement: Statement = {
  name: "select-operation",
  text: `select ${columns} from handrail.operation where id = $1::uuid and forgotten_at is null`,
};

export async function selectOperation(db: Db, operationId: string): Promise<SeenOperationRow | undefined> {
  const [row] = await db.query<SeenOperationRow>(selectStatement, [operationId]);
  return row;
}

const listStatement: Statement = {
  name: "list-operations",
  text: `
    select ${columns} from handrail.operation
    where forgotten_at is null and ($1::uuid is null or id < $1::uuid) and ($3::text[] is null or workflows <@ $3::text[])
    order by id desc limit $2::int`,
};

/** Newest first. `workflows`: only operations whose runs are all of these workflows. */
export const listOperations = (
  db: Db,
  page: { before: string | null; limit: number; workflows: readonly string[] | null },
) => db.query<SeenOperationRow>(listStatement, [page.before, page.limit, page.workflows]);

export interface OperationItemRow {
  position: number;
  run_id: string;
  named: RunNaming | null;
  outcome: ItemOutcome;
  because: string | null;
  at: RowInstant;
  /** Of the run as it is now; null if it was deleted. */
  status: RunStatus | null;
  attention: Attention | null;
}

const listItems = (name: string, only: string): Statement => ({
  name,
  text: `
    select item.position, item.run_id, ${namedRun("run")} as named, item.outcome, item.because, item.at, run.status, run.attention
    from handrail.operation_item as item left join handrail.run on run.id = item.run_id
    where item.operation_id = $1::uuid and item.position > $2::int ${only}
    order by item.position limit $3::int`,
});

const allItems = listItems("list-operation-items", "");
const otherItems = listItems("list-other-operation-items", "and item.outcome <> 'done'");

/** Items with an outcome, after the position `after`. `others`: only those that were not done. */
export const listOperationItems = (
  db: Db,
  operationId: string,
  { others, after, limit }: { others: boolean; after: number; limit: number },
) => db.query<OperationItemRow>(others ? otherItems : allItems, [operationId, after, limit]);

export type ReportItemRow = Pick<PlanItemRow, "position" | "run_id" | "named" | "workflow" | "included" | "because"> & {
  /** Null if the operation has not reached it. */
  outcome: ItemOutcome | null;
  at: RowInstant | null;
};

const reportStatement: Statement = {
  name: "list-report-items",
  text: `
    select planned.position, planned.run_id, ${namedRun("run")} as named, planned.workflow, planned.included, item.outcome, item.at,
      coalesce(item.because, planned.because) as because
    from handrail.operation
    join handrail.plan_item as planned on planned.plan_id = operation.plan_id
    left join handrail.operation_item as item on item.operation_id = operation.id and item.position = planned.position
    left join handrail.run on run.id = planned.run_id
    where operation.id = $1::uuid and planned.position > $2::int
    order by planned.position limit $3::int`,
};

/** Every item of the operation's plan, after the position `after`, with its outcome so far. */
export const listReportItems = (db: Db, operationId: string, { after, limit }: { after: number; limit: number }) =>
  db.query<ReportItemRow>(reportStatement, [operationId, after, limit]);
/** The current states of the runs on which an operation has acted. */
export interface OperationStanding {
  /** How many, the latest, were read. */
  of: number;
  completed: number;
  needPerson: number;
  /** Pending, running, waiting or compensating, without need of attention. */
  underWay: number;
  /** Cancelled, compensated, paused, or deleted. */
  others: number;
}

/** Enough for an exact sum of nearly every operation, and bounded for the largest. */
const MAX_LOOKED_AT = 10_000;

const standingStatement: Statement = {
  name: "operation-standing",
  text: `
    select count(*)::int as "of", count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where attention is not null)::int as "needPerson",
      count(*) filter (where attention is null and status in ('pending', 'running', 'waiting', 'compensating'))::int as "underWay",
      count(*) filter (where status is null or attention is null and status in ('failed', 'cancelled', 'compensated', 'paused'))::int
        as others
    from (
      select run_id from handrail.operation_item where operation_id = $1::uuid and outcome = 'done'
      order by position desc limit ${MAX_LOOKED_AT}
    ) as item left join handrail.run on run.id = item.run_id`,
};

export async function standingOfRuns(db: Db, operationId: string): Promise<OperationStanding> {
  const [row] = await db.query<OperationStanding>(standingStatement, [operationId]);
  return row as OperationStanding;
}
