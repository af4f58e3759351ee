import type { Role } from "../../engine/access/permission";
import { APPROVAL_MS, type ApprovalStatus, type FourEyesAct } from "../../engine/operations/four-eyes";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";
import type { PlanRow } from "./plans";

export interface PlanApprovalRow {
  plan_id: string;
  plan_hash: string;
  /** `expired` by the database's clock: it is not stored. */
  status: ApprovalStatus;
  proposer_id: string;
  proposer: string;
  reason: string;
  requested_at: RowInstant;
  expires_at: RowInstant;
  approver_id: string | null;
  approver: string | null;
  note: string | null;
  answered_at: RowInstant | null;
}

const columns = `approval.plan_id, approval.plan_hash, approval.proposer_id, approval.proposer, approval.reason, approval.requested_at,
      approval.expires_at, approval.approver_id, approval.approver, approval.note, approval.answered_at,
      case when approval.status in ('open', 'approved') and approval.expires_at <= clock_timestamp() then 'expired'
        else approval.status end as status`;

const selectStatement: Statement = {
  name: "select-plan-approval",
  text: `select ${columns} from handrail.plan_approval as approval where plan_id = $1::uuid`,
};

/** Read under the plan's lock, which every write here takes first, so that it cannot change. */
export async function selectPlanApproval(db: Db, planId: string): Promise<PlanApprovalRow | undefined> {
  return (await db.query<PlanApprovalRow>(selectStatement, [planId]))[0];
}

// A request replaces one that was rejected or has expired; any other one is never replaced.
const requestStatement: Statement = {
  name: "request-plan-approval",
  text: `
    insert into handrail.plan_approval (plan_id, plan_hash, proposer_id, proposer, reason, expires_at)
    select id, hash, $2::uuid, $3, $4, expires_at from handrail.plan where id = $1::uuid
    on conflict (plan_id) do update set plan_hash = excluded.plan_hash, status = 'open', proposer_id = excluded.proposer_id,
      proposer = excluded.proposer, reason = excluded.reason, requested_at = excluded.requested_at, expires_at = excluded.expires_at,
      approver_id = null, approver = null, note = null, answered_at = null`,
};

interface ApprovalRequest {
  proposerId: string;
  proposer: string;
  reason: string;
}

/** The transaction holds the plan, and has checked that no valid request exists. */
export async function requestPlanApproval(tx: Db, planId: string, request: ApprovalRequest): Promise<void> {
  await tx.query(requestStatement, [planId, request.proposerId, request.proposer, request.reason]);
}

// The plan is kept for as long as its approval counts.
const answerStatement: Statement = {
  name: "answer-plan-approval",
  text: `
    with answered as (
      update handrail.plan_approval set status = $2, approver_id = $3::uuid, approver = $4, note = $5, answered_at = clock_timestamp(),
        expires_at = case when $2 = 'approved' then clock_timestamp() + $6::float8 * interval '1 ms' else expires_at end
      where plan_id = $1::uuid and status = 'open'
      returning plan_id, expires_at
    )
    update handrail.plan set expires_at = greatest(plan.expires_at, answered.expires_at)
    from answered where plan.id = answered.plan_id`,
};

export interface ApprovalAnswer {
  status: "approved" | "rejected";
  approverId: string;
  approver: string;
  note: string;
}

/** The transaction holds the plan. An approval by the requester violates a CHECK. */
export async function answerPlanApproval(tx: Db, planId: string, answer: ApprovalAnswer): Promise<void> {
  const { status, approverId, approver, note } = answer;
  await tx.query(answerStatement, [planId, status, approverId, approver, note, APPROVAL_MS]);
}

const useStatement: Statement = {
  name: "use-plan-approval",
  text: `update handrail.plan_approval set status = 'used', used_at = clock_timestamp() where plan_id = $1::uuid and status = 'approved'`,
};

/** Once. The transaction holds the plan, and executes it. */
export async function spendPlanApproval(tx: Db, planId: string): Promise<void> {
  await tx.query(useStatement, [planId]);
}

export interface LiveApprovalRow extends PlanApprovalRow {
  act: PlanRow["act"];
  params: PlanRow["params"];
  totals: NonNullable<PlanRow["totals"]>;
  /** To the microsecond, for the cursor. */
  requested_at_text: string;
}

export type LiveApprovalKey = [requestedAt: string, planId: string];

const liveStatement: Statement = {
  name: "live-plan-approvals",
  text: `
    select ${columns}, plan.act, plan.params, plan.totals, approval.requested_at::text as requested_at_text
    from handrail.plan_approval as approval join handrail.plan on plan.id = approval.plan_id
    where approval.status in ('open', 'approved') and approval.expires_at > clock_timestamp()
      and ($1::timestamptz is null or (approval.requested_at, approval.plan_id) > ($1::timestamptz, $2::uuid))
    order by approval.requested_at, approval.plan_id limit $3::int`,
};

/** Plans that wait for an approver, or are approved and wait for execution; oldest first. */
export function listLivePlanApprovals(db: Db, page: { after: LiveApprovalKey | null; limit: number }) {
  return db.query<LiveApprovalRow>(liveStatement, [...(page.after ?? [null, null]), page.limit]);
}

// Locked against a change of their permissions: the approver must still have the right when the plan begins.
const personStatement: Statement = {
  name: "hold-approver",
  text: `select role, workflows from handrail.person where id = $1::uuid and disabled_at is null for share`,
};

export async function holdPerson(tx: Db, personId: string) {
  const [row] = await tx.query<{ role: Role; workflows: string[] | null }>(personStatement, [personId]);
  return row;
}

const declaredStatement: Statement = {
  name: "declared-four-eyes",
  text: `select four_eyes as acts from handrail.workflow where name = $1 and version = $2::int`,
};

/** Actions that need a second operator for runs of this version. Empty for an unregistered version. */
export async function declaredFourEyes(db: Db, workflow: string, version: number): Promise<FourEyesAct[]> {
  return (await db.query<{ acts: FourEyesAct[] }>(declaredStatement, [workflow, version]))[0]?.acts ?? [];
}
