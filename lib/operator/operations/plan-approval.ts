import { actionsOf, may, type Permissions, type Role } from "../../engine/access/permission";
import { HandrailError } from "../../engine/errors";
import { mayAnswerRequest, mayBeEyes } from "../../engine/operations/four-eyes";
import type { Openness } from "../../engine/runs/operator-acts";
import type { Db } from "../../store/db";
import { lockPlan } from "../../store/operations/operations";
import {
  answerPlanApproval,
  holdPerson,
  type PlanApprovalRow,
  requestPlanApproval,
  selectPlanApproval,
  spendPlanApproval,
} from "../../store/operations/plan-approvals";
import type { PlanRow } from "../../store/operations/plans";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { type ApprovalView, approvalView, unknownPlan } from "./plan-view";

interface OfPlan {
  planId: string;
  /** The hash of the plan as the operator saw it. */
  hash: string;
  reason: string;
  /** The caller, if signed in as a user; else null. */
  personId: string | null;
  signIn: boolean;
}

/**
 * Requests a second operator's approval of a plan; valid as long as the plan is kept.
 * @throws HandrailError `unknown_plan`, `plan_changed`, or `not_allowed` if the plan needs no approval or has no
 * possible approver
 */
export function requestApproval(desk: Desk, given: OfPlan): Promise<ApprovalView> {
  const { planId, reason } = given;
  return aboutPlan(desk, "request_approval", given, async (tx, plan, personId) => {
    if (plan.totals.secondPerson.runs === 0)
      throw new HandrailError("not_allowed", "One person may carry this plan out.");
    const before = await selectPlanApproval(tx, planId);
    if (before?.status === "open") throw refused(`${before.proposer} has already requested approval of this plan.`);
    if (before?.status === "approved") throw refused(`${before.approver} has approved this plan already.`);
    await requestPlanApproval(tx, planId, { proposerId: personId, proposer: desk.by.name, reason });
  });
}

/**
 * A second operator's answer. An approval counts for an hour, for one execution of this very plan.
 * @throws HandrailError `unknown_plan`, `plan_changed`, or `not_allowed`, also for the operator who requested it
 */
export function answerApproval(
  desk: Desk,
  given: OfPlan & { outcome: "approved" | "rejected" },
): Promise<ApprovalView> {
  const { planId, outcome, reason } = given;
  const act = outcome === "approved" ? "approve_plan" : "reject_plan";
  return aboutPlan(desk, act, given, async (tx, _, personId) => {
    const request = await selectPlanApproval(tx, planId);
    if (!request) throw refused("Approval of this plan was not requested.");
    demand(mayAnswerRequest({ ...request, proposerId: request.proposer_id }, personId));
    await answerPlanApproval(tx, planId, {
      status: outcome,
      approverId: personId,
      approver: desk.by.name,
      note: reason,
    });
  });
}

type WholePlan = PlanRow & { hash: string; totals: NonNullable<PlanRow["totals"]> };

/** One transaction, which holds the plan: of two concurrent answers, the second one sees the first. */
async function aboutPlan(
  desk: Desk,
  act: "request_approval" | "approve_plan" | "reject_plan",
  { planId, hash, reason, ...eyes }: OfPlan,
  change: (tx: Db, plan: WholePlan, personId: string) => Promise<void>,
): Promise<ApprovalView> {
  const attempt: Attempt = { act, runId: null, reason };
  const { body } = await audited({ ...desk, planId }, attempt, async (tx, record) => {
    const plan = await lockPlan(tx, planId);
    if (!plan || plan.expired || plan.hash === null || plan.totals === null) throw unknownPlan(planId);
    attempt.before = {
      act: plan.act,
      hash: plan.hash,
      approval: (await selectPlanApproval(tx, planId))?.status ?? null,
    };
    demand(mayBeEyes(eyes));
    if (plan.executed_at !== null) throw new HandrailError("plan_changed", "This plan was carried out already.");
    if (plan.hash !== hash) throw changed(plan.hash);
    await change(tx, plan as WholePlan, eyes.personId as string);
    const approval = approvalView((await selectPlanApproval(tx, planId)) as PlanApprovalRow);
    await record({ approval: approval.status, expiresAt: approval.expiresAt });
    return { status: act === "request_approval" ? 201 : 200, body: approval };
  });
  return body;
}

const refused = (because: string) => new HandrailError("not_allowed", because);

const changed = (hash: string) =>
  new HandrailError("plan_changed", "This is not the plan that you saw. Look at it again, then decide.", { hash });

function demand(openness: Openness): void {
  if (!openness.open) throw refused(openness.because);
}

/**
 * Uses up the approval, if the plan needs one. The transaction holds the plan, and executes it.
 * @throws HandrailError `approval_required` with what is missing
 */
export async function spendApproval(tx: Db, plan: WholePlan): Promise<void> {
  const { runs, workflows } = plan.totals.secondPerson;
  if (runs === 0) return;
  const approval = await selectPlanApproval(tx, plan.id);
  const missing = approval ? await lackOf(tx, plan, approval) : "Ask for an approval of the plan.";
  if (missing !== null)
    throw new HandrailError(
      "approval_required",
      `This takes a second person in ${workflows.map((name) => `"${name}"`).join(", ")}. ${missing}`,
      { approval: approval?.status ?? null, workflows },
    );
  await spendPlanApproval(tx, plan.id);
}

/** Why this approval does not count; null when it does. */
async function lackOf(tx: Db, plan: WholePlan, approval: PlanApprovalRow): Promise<string | null> {
  const { status, approver, approver_id: approverId } = approval;
  if (status === "open") return "Nobody has approved the plan yet.";
  if (status === "rejected") return `${approver} has rejected the plan.`;
  if (status === "expired") return "The approval has expired. Ask for another one.";
  if (approval.plan_hash !== plan.hash) return "The approval is of another plan. Ask for an approval of this one.";
  const person = approverId === null ? undefined : await holdPerson(tx, approverId);
  return person && mayApprove(person) ? null : `${approver} may not approve plans any more. Ask somebody else.`;
}

function mayApprove({ role, workflows }: { role: Role; workflows: string[] | null }): boolean {
  const permissions: Permissions = { actions: actionsOf([role]), workflows };
  return may(permissions, "plan.approve").open;
}
