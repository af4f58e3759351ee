import { planRequest } from "../contract/planned-acts";
import {
  planApprovalAnswer,
  planApprovalListQuery,
  planApprovalListResponse,
  planApprovalRequest,
  planApprovalSchema,
  planItemListQuery,
  planItemListResponse,
  planSchema,
} from "../contract/plans";
import { endpoint } from "../endpoint";
import { ofPlan } from "./params";

/** Ten thousand ids. */
const MAX_SELECTION_BYTES = 524_288;

export const makePlan = endpoint({
  method: "POST",
  path: "/v1/plans",
  action: "plan.make",
  summary: "Say what an act would do to each of the runs, and keep that; changes nothing",
  body: planRequest,
  maxBodyBytes: MAX_SELECTION_BYTES,
  answer: planSchema,
  statuses: { 201: "The plan" },
});

export const getPlan = endpoint({
  method: "GET",
  path: "/v1/plans/{planId}",
  action: "operation.read",
  summary: "A plan with the first of its items",
  params: ofPlan,
  answer: planSchema,
  statuses: { 200: "The plan" },
});

export const listPlanItems = endpoint({
  method: "GET",
  path: "/v1/plans/{planId}/items",
  action: "operation.read",
  summary: "What a plan would do to each run, newest first",
  params: ofPlan,
  query: planItemListQuery,
  answer: planItemListResponse,
  statuses: { 200: "A page of items" },
});

export const requestPlanApproval = endpoint({
  method: "POST",
  path: "/v1/plans/{planId}/approval",
  action: "plan.execute",
  summary: "Ask for a second person's yes to a plan whose workflow demands one",
  params: ofPlan,
  body: planApprovalRequest,
  answer: planApprovalSchema,
  statuses: { 201: "The request, which waits for somebody else" },
});

export const answerPlanApproval = endpoint({
  method: "POST",
  path: "/v1/plans/{planId}/approval/answer",
  action: "plan.approve",
  summary: "Approve a plan that somebody else proposed, or reject it; a yes counts once, for an hour",
  params: ofPlan,
  body: planApprovalAnswer,
  answer: planApprovalSchema,
  statuses: { 200: "The approval, or the refusal" },
});

export const listPlanApprovals = endpoint({
  method: "GET",
  path: "/v1/plan-approvals",
  action: "operation.read",
  summary: "Plans that wait for a second person, or have their yes and wait to be carried out; longest first",
  query: planApprovalListQuery,
  answer: planApprovalListResponse,
  statuses: { 200: "A page of requests" },
});
