import { PLAN_KEPT_MS, type PlanItem } from "../../engine/operations/plan";
import type { PlanTotals } from "../../engine/operations/plan-totals";
import type { PlannedActName } from "../../engine/runs/operator-acts";
import type { Db, Statement } from "../db";
import { namedRun, type RunNaming } from "../reads/run-naming";
import type { Json, RowInstant } from "../rows";

export interface PlanRow {
  id: string;
  act: PlannedActName;
  params: Record<string, Json>;
  selection: Json;
  made_by: string;
  created_at: RowInstant;
  expires_at: RowInstant;
  /** Null while it is being made, and permanently if its process died. */
  hash: string | null;
  totals: PlanTotals | null;
  executed_at: RowInstant | null;
  /** Of its runs, in the order of their names; none while it is being made. */
  workflows: string[];
  expired: boolean;
}

const insertStatement: Statement = {
  name: "insert-plan",
  text: `
    insert into handrail.plan (id, act, params, selection, made_by, expires_at)
    values ($1::uuid, $2, $3::jsonb, $4::jsonb, $5, clock_timestamp() + $6::float8 * interval '1 ms')`,
};

interface PlanToMake {
  id: string;
  act: { act: PlannedActName; params: object };
  selection: object;
  madeBy: string;
}

export async function insertPlan(db: Db, { id, act, selection, madeBy }: PlanToMake): Promise<void> {
  const values = [id, act.act, JSON.stringify(act.params), JSON.stringify(selection), madeBy, PLAN_KEPT_MS];
  await db.query(insertStatement, values);
}

const insertItemsStatement: Statement = {
  name: "insert-plan-items",
  text: `
    insert into handrail.plan_item (plan_id, position, run_id, workflow, revision, generation, included, because, detail)
    select $1::uuid, position, "runId", workflow, revision, generation, included, because, detail
    from jsonb_to_recordset($2::jsonb) as given (position int, "runId" uuid, workflow text, revision bigint, generation int,
      included boolean, because text, detail jsonb)`,
};

/** `first`: the position of the first of them, from 1 on. */
export async function insertPlanItems(
  db: Db,
  planId: string,
  first: number,
  items: readonly PlanItem[],
): Promise<void> {
  const rows = items.map(({ runId, workflow, revision, generation, included, because, ...detail }, index) => ({
    position: first + index,
    runId,
    workflow,
    revision,
    generation,
    included,
    because,
    detail,
  }));
  await db.query(insertItemsStatement, [planId, JSON.stringify(rows)]);
}

const sealStatement: Statement = {
  name: "seal-plan",
  text: `update handrail.plan set hash = $2, totals = $3::jsonb, workflows = $4::text[] where id = $1::uuid and hash is null`,
};

/** From now on the plan is complete, and never changes. */
export async function sealPlan(
  db: Db,
  planId: string,
  { hash, totals, workflows }: { hash: string; totals: PlanTotals; workflows: readonly string[] },
): Promise<void> {
  await db.query(sealStatement, [planId, hash, JSON.stringify(totals), workflows]);
}

// What a plan of an earlier version does not say: it needs no approval, and counts no superseded compensations, nor, in
// its items, what is unprotected.
export const planColumns = `id, act, params, selection, made_by, created_at, expires_at, hash,
      '{"secondPerson": {"runs": 0, "workflows": []}, "uncompensated": 0}'::jsonb || totals as totals, executed_at, workflows,
      executed_at is null and expires_at <= clock_timestamp() as expired`;
export const planItemColumns = `position, run_id, workflow, revision, generation, included, because,
      '{"secondPerson": null, "unprotected": 0, "uncompensated": {"count": 0, "first": []}}'::jsonb || detail as detail,
      (select ${namedRun("run")} from handrail.run where run.id = plan_item.run_id) as named`;

const selectStatement: Statement = {
  name: "select-plan",
  text: `select ${planColumns} from handrail.plan where id = $1::uuid`,
};

export async function selectPlan(db: Db, planId: string): Promise<PlanRow | undefined> {
  const [row] = await db.query<PlanRow>(selectStatement, [planId]);
  return row;
}

export interface PlanItemRow {
  position: number;
  run_id: string;
  /** Null when the run no longer exists. */
  named: RunNaming | null;
  workflow: string;
  revision: number;
  generation: number;
  included: boolean;
  because: string | null;
  detail: Omit<PlanItem, "runId" | "workflow" | "revision" | "generation" | "included" | "because">;
}

const listItems = (only: string): Statement => ({
  name: `list-plan-items${only === "" ? "" : `-${only.replaceAll(" ", "-")}`}`,
  text: `
    select ${planItemColumns}
    from handrail.plan_item where plan_id = $1::uuid and position > $2::int ${only && `and ${only}`}
    order by position limit $3::int`,
});

const lists = { all: listItems(""), included: listItems("included"), left_out: listItems("not included") };

const PLAN_ITEM_LISTS = ["all", "included", "left_out"] as const;
export type PlanItemList = (typeof PLAN_ITEM_LISTS)[number];

/** Items behind the position `after`, in order. */
export function listPlanItems(db: Db, planId: string, which: PlanItemList, after: number, limit: number) {
  return db.query<PlanItemRow>(lists[which], [planId, after, limit]);
}

/*
 * Guarantee: a plan is deleted after all of its items, so that a crash in between leaves no items without one. Races
 * with: an execution, which locks the plan and finds it expired; and concurrent deletions, whose plans are skipped.
 */
const deleteStatement: Statement = {
  name: "delete-unused-plans",
  text: `
    with unused as (
      select id from handrail.plan where executed_at is null and expires_at <= (select clock_timestamp())
      order by expires_at limit 10 for update skip locked
    ), no_item as (
      delete from handrail.plan_item where (plan_id, position) in (
        select plan_id, position from handrail.plan_item where plan_id in (select id from unused) limit $1::int)
      returning plan_id
    ), no_plan as (
      delete from handrail.plan where id in (select id from unused)
        and not exists (select from handrail.plan_item where plan_id = plan.id)
      returning id
    )
    select (select count(*) from no_item)::int + (select count(*) from no_plan)::int as deleted`,
};

/** Deletes unused plans, a batch of items at a time; returns how many rows. */
export async function deleteUnusedPlans(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(deleteStatement, [limit]);
  return row?.deleted ?? 0;
}
