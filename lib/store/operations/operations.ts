import type { Caller } from "../../engine/audit/audit";
import type { ItemOutcome, OperationStatus, Outcomes } from "../../engine/operations/operation";
import type { PlannedActName } from "../../engine/runs/operator-acts";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";
import { type PlanItemRow, type PlanRow, planColumns, planItemColumns } from "./plans";

export interface OperationRow {
  id: string;
  plan_id: string;
  /** The run that carries it out; null when the request itself did. */
  run_id: string | null;
  act: PlannedActName;
  params: PlanRow["params"];
  status: OperationStatus;
  by: Caller;
  reason: string;
  rate_per_second: number;
  canary: number;
  canary_passed_at: RowInstant | null;
  paused_because: string | null;
  /** Of the last item that has an outcome. */
  position: number;
  /** An operator has confirmed the items up to here. */
  judged_from: number;
  total: number;
  done: number;
  already: number;
  not_eligible: number;
  changed: number;
  failed: number;
  created_at: RowInstant;
  finished_at: RowInstant | null;
  /** Of the runs of its plan. */
  workflows: string[];
}

export const operationColumns = `id, plan_id, run_id, act, params, status, "by", reason, rate_per_second, canary, canary_passed_at,
      paused_because, position, judged_from, total, done, already, not_eligible, changed, failed, created_at, finished_at, workflows`;

const lockPlanStatement: Statement = {
  name: "lock-plan",
  text: `
    select ${planColumns}
    from handrail.plan where id = $1::uuid for no key update`,
};

/** Of two executions of a plan, the second one sees what the first one did. */
export async function lockPlan(tx: Db, planId: string): Promise<PlanRow | undefined> {
  const [row] = await tx.query<PlanRow>(lockPlanStatement, [planId]);
  return row;
}

const ofPlanStatement: Statement = {
  name: "operation-of-plan",
  text: `select id from handrail.operation where plan_id = $1::uuid`,
};

/**
 * The operation of an executed plan. A separate statement: one that waited for the plan's lock would not see it yet.
 */
export async function operationOfPlan(tx: Db, planId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(ofPlanStatement, [planId]);
  return row?.id;
}

const insertStatement: Statement = {
  name: "insert-operation",
  text: `
    with used as (
      update handrail.plan set executed_at = clock_timestamp() where id = $2::uuid returning id, act, params, workflows
    )
    insert into handrail.operation (id, plan_id, run_id, act, params, "by", reason, rate_per_second, canary, total, workflows, status, finished_at)
    select $1::uuid, used.id, $3::uuid, used.act, used.params, $4::jsonb, $5, $6::int, $7::int, $8::int, used.workflows,
      case when $3::uuid is null then 'completed' else 'running' end, case when $3::uuid is null then clock_timestamp() end
    from used
    returning ${operationColumns}`,
};

export interface OperationToStart {
  id: string;
  planId: string;
  /** Null: its one item gets its outcome in this transaction, which ends it. */
  runId: string | null;
  by: Caller;
  reason: string;
  ratePerSecond: number;
  canary: number;
  total: number;
}

/** The transaction holds the plan, which is used up by this. */
export async function insertOperation(tx: Db, given: OperationToStart): Promise<OperationRow> {
  const { id, planId, runId, by, reason, ratePerSecond, canary, total } = given;
  const values = [id, planId, runId, JSON.stringify(by), reason, ratePerSecond, canary, total];
  const [row] = await tx.query<OperationRow>(insertStatement, values);
  if (!row) throw new Error(`Plan ${planId} is gone under its lock.`);
  return row;
}

const lockStatement: Statement = {
  name: "lock-operation",
  text: `
    select ${operationColumns} from handrail.operation where id = $1::uuid and forgotten_at is null for no key update`,
};

/*
 * The first lock of every item and of every action on the operation. The process that carries out an item holds it
 * until the item has its outcome: two that both think they own the operation take turns, and after an answered pause
 * nothing begins.
 */
export async function lockOperation(tx: Db, operationId: string): Promise<OperationRow | undefined> {
  const [row] = await tx.query<OperationRow>(lockStatement, [operationId]);
  return row;
}

const nextItemStatement: Statement = {
  name: "next-operation-item",
  text: `
    select ${planItemColumns}
    from handrail.plan_item where plan_id = $1::uuid and position > $2::int and included
    order by position limit 1`,
};

export async function nextItem(tx: Db, { plan_id, position }: OperationRow): Promise<PlanItemRow | undefined> {
  const [row] = await tx.query<PlanItemRow>(nextItemStatement, [plan_id, position]);
  return row;
}

const recordStatement: Statement = {
  name: "record-operation-item",
  text: `
    with kept as (
      insert into handrail.operation_item (operation_id, position, run_id, outcome, because)
      values ($1::uuid, $2::int, $3::uuid, $4, $5)
      returning operation_id, position, outcome
    )
    update handrail.operation set position = kept.position,
      done = done + (kept.outcome = 'done')::int, already = already + (kept.outcome = 'already')::int,
      not_eligible = not_eligible + (kept.outcome = 'not_eligible')::int,
      changed = changed + (kept.outcome = 'changed')::int, failed = failed + (kept.outcome = 'failed')::int
    from kept where id = kept.operation_id`,
};

/**
 * The transaction holds the operation. An item takes one outcome: a second one violates the key, and its action is
 * rolled back.
 */
export async function recordItem(
  tx: Db,
  operationId: string,
  { position, run_id }: Pick<PlanItemRow, "position" | "run_id">,
  { outcome, because = null }: { outcome: ItemOutcome; because?: string | null },
): Promise<void> {
  await tx.query(recordStatement, [operationId, position, run_id, outcome, because]);
}

const statusStatement: Statement = {
  name: "set-operation-status",
  text: `
    update handrail.operation set status = $2, paused_because = $3,
      finished_at = case when $2 in ('completed', 'aborted') then clock_timestamp() end,
      judged_from = case when $4::boolean then position else judged_from end,
      canary_passed_at = coalesce(canary_passed_at, case when $4::boolean and done + failed >= canary then clock_timestamp() end)
    where id = $1::uuid`,
};

/** The transaction holds the operation. `confirmed`: an operator confirms the items so far, so that they are not judged. */
export async function setOperationStatus(
  tx: Db,
  operationId: string,
  status: OperationStatus,
  { pausedBecause = null, confirmed = false }: { pausedBecause?: string | null; confirmed?: boolean } = {},
): Promise<void> {
  await tx.query(statusStatement, [operationId, status, pausedBecause, confirmed]);
}

const rateStatement: Statement = {
  name: "set-operation-rate",
  text: `update handrail.operation set rate_per_second = $2::int where id = $1::uuid`,
};

export async function setOperationRate(tx: Db, operationId: string, ratePerSecond: number): Promise<void> {
  await tx.query(rateStatement, [operationId, ratePerSecond]);
}

const canaryStatement: Statement = {
  name: "pass-operation-canary",
  text: `update handrail.operation set canary_passed_at = clock_timestamp() where id = $1::uuid and canary_passed_at is null`,
};

export async function passCanary(tx: Db, operationId: string): Promise<void> {
  await tx.query(canaryStatement, [operationId]);
}

/*
 * The results of the latest `$3` items: for a rerun, how the run ended; for any other action, whether it could be done.
 * A run that waits for its next attempt has no result yet: otherwise, in an outage, all of them would count as
 * successes.
 */
const outcomesStatement: Statement = {
  name: "operation-outcomes",
  text: `
    select count(*) filter (where failed)::int as failed, count(*) filter (where open and not failed)::int as open,
      count(*) filter (where not open and not failed)::int as settled,
      coalesce(extract(epoch from clock_timestamp() - max(at)) * 1000, 0)::float8 as "sinceMs"
    from (
      select item.at,
        item.outcome = 'failed' or (operation.act = 'rerun' and coalesce(run.status in ('failed', 'compensating', 'compensated')
          or run.attention in ('outcome_unknown', 'compensation_owed'), false)) as failed,
        operation.act = 'rerun' and coalesce(run.status in ('pending', 'running') or run.waiting_kind in ('retry', 'permit', 'blob', 'slot'), false) as open
      from handrail.operation
      cross join lateral (
        select run_id, outcome, at from handrail.operation_item
        where operation_id = operation.id and position > operation.judged_from and outcome in ('done', 'failed')
        order by position desc limit $2::int
      ) as item
      left join handrail.run on run.id = item.run_id
      where operation.id = $1::uuid
    ) as latest`,
};

export async function outcomesOfLatest(db: Db, operationId: string, latest: number): Promise<Outcomes> {
  const [row] = await db.query<Outcomes>(outcomesStatement, [operationId, latest]);
  return row ?? { failed: 0, open: 0, settled: 0, sinceMs: 0 };
}
