import { HandrailError } from "../../engine/errors";
import type { PlanItem } from "../../engine/operations/plan";
import type { Db } from "../../store/db";
import { type PlanApprovalRow, selectPlanApproval } from "../../store/operations/plan-approvals";
import {
  listPlanItems,
  type PlanItemList,
  type PlanItemRow,
  type PlanRow,
  selectPlan,
} from "../../store/operations/plans";
import { decodeCursor, encodeCursor } from "../cursor";
import { asInstant, asInstantOrNull } from "../values";

const FIRST_ITEMS = 50;

export type PlanView = Awaited<ReturnType<typeof readPlan>>;

/** A plan with the first of its items. @throws HandrailError `unknown_plan`, also for an unfinished or expired plan */
export async function readPlan(db: Db, planId: string) {
  const plan = await knownPlan(db, planId);
  const { items, nextCursor } = await readPlanItems(db, planId, { limit: FIRST_ITEMS });
  const approval = await selectPlanApproval(db, planId);
  return {
    id: plan.id,
    act: plan.act,
    params: plan.params,
    selection: plan.selection,
    workflows: plan.workflows,
    hash: plan.hash,
    madeBy: plan.made_by,
    createdAt: asInstant(plan.created_at),
    expiresAt: asInstant(plan.expires_at),
    executedAt: asInstantOrNull(plan.executed_at),
    counts: plan.totals,
    approval: approval ? approvalView(approval) : null,
    items,
    nextCursor,
  };
}

export type ApprovalView = ReturnType<typeof approvalView>;

/** The state of a plan's approval. */
export const approvalView = (row: PlanApprovalRow) => ({
  status: row.status,
  proposer: row.proposer,
  reason: row.reason,
  requestedAt: asInstant(row.requested_at),
  expiresAt: asInstant(row.expires_at),
  approver: row.approver,
  note: row.note,
  answeredAt: asInstantOrNull(row.answered_at),
});

/** The action of a plan, for permission checks before it is shown. @throws HandrailError `unknown_plan` */
export const readActOfPlan = async (db: Db, planId: string) => (await knownPlan(db, planId)).act;

export interface PlanItemPage {
  list?: PlanItemList | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

async function readPlanItems(db: Db, planId: string, { list = "all", cursor, limit = FIRST_ITEMS }: PlanItemPage) {
  const after = cursor === undefined ? 0 : decodeCursor<[number]>(cursor, ([last]) => Number.isSafeInteger(last))[0];
  const rows = await listPlanItems(db, planId, list, after, limit + 1);
  const items = rows.slice(0, limit).map(itemView);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last ? encodeCursor([last.position]) : null };
}

/** The same, by id alone. @throws HandrailError `unknown_plan` */
export async function readItemsOfPlan(db: Db, planId: string, page: PlanItemPage) {
  await knownPlan(db, planId);
  return readPlanItems(db, planId, page);
}

type WholePlan = PlanRow & { hash: string; totals: NonNullable<PlanRow["totals"]> };

async function knownPlan(db: Db, planId: string): Promise<WholePlan> {
  const plan = await selectPlan(db, planId);
  if (!plan || plan.expired || !isWhole(plan)) throw unknownPlan(planId);
  return plan;
}

const isWhole = (plan: PlanRow): plan is WholePlan => plan.hash !== null && plan.totals !== null;

export const unknownPlan = (planId: string) =>
  new HandrailError("unknown_plan", `There is no plan ${planId}. A plan that is not carried out goes after a day.`);

const itemView = (row: PlanItemRow) => ({ position: row.position, named: row.named, ...plannedItem(row) });

/** A stored item in the form that the rules read. */
export const plannedItem = (row: PlanItemRow): PlanItem => ({
  runId: row.run_id,
  workflow: row.workflow,
  revision: row.revision,
  generation: row.generation,
  included: row.included,
  because: row.because,
  ...row.detail,
});
