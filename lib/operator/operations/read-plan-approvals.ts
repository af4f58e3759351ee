import type { Db } from "../../store/db";
import {
  type LiveApprovalKey,
  type LiveApprovalRow,
  listLivePlanApprovals,
} from "../../store/operations/plan-approvals";
import { decodeCursor, encodeCursor, isInstant } from "../cursor";
import type { Page } from "../runs/reads";
import { approvalView } from "./plan-view";

const DEFAULT_PAGE_SIZE = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Plans that wait for an approver, or are approved and wait for execution; oldest first. */
export async function readPlanApprovals(db: Db, { cursor, limit = DEFAULT_PAGE_SIZE }: Page) {
  const after = cursor === undefined ? null : decodeCursor<LiveApprovalKey>(cursor, isKey);
  const rows = await listLivePlanApprovals(db, { after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    planApprovals: shown.map(waitingPlan),
    nextCursor: last ? encodeCursor([last.requested_at_text, last.plan_id]) : null,
    updatedAt: new Date().toISOString(),
  };
}

const isKey = ([at, planId]: unknown[]) => isInstant(at) && typeof planId === "string" && UUID.test(planId);

const waitingPlan = (row: LiveApprovalRow) => ({
  planId: row.plan_id,
  act: row.act,
  params: row.params,
  hash: row.plan_hash,
  counts: row.totals,
  approval: approvalView(row),
});
