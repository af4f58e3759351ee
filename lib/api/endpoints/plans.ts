import type { Asker } from "../../access/asker";
import * as planning from "../../operator/operations/make-plan";
import * as approving from "../../operator/operations/plan-approval";
import { readItemsOfPlan, readPlan } from "../../operator/operations/plan-view";
import { readPlanApprovals } from "../../operator/operations/read-plan-approvals";
import type { Server } from "../../server";
import { demand, narrowed } from "../access/narrow";
import { demandPermission } from "../access/permission";
import {
  planApprovalAnswer,
  planApprovalListQuery,
  planApprovalListResponse,
  planApprovalRequest,
  planApprovalSchema,
  planItemListQuery,
  planItemListResponse,
  planRequest,
  planSchema,
} from "../contract/plans";
import { endpoint } from "../endpoint";
import { ofPlan } from "./params";

/** Ten thousand ids. */
const MAX_SELECTION_BYTES = 524_288;

/** The caller needs the permission for the planned action. Of a filter, only their workflows are read. */
export const makePlan = endpoint(
  {
    method: "POST",
    path: "/v1/plans",
    action: "plan.make",
    summary: "Say what an act would do to each of the runs, and keep that; changes nothing",
    body: planRequest,
    maxBodyBytes: MAX_SELECTION_BYTES,
    answer: planSchema,
    statuses: { 201: "The plan" },
  },
  async ({ desk, params, body, asker, permissions }) => {
    const { selection, ...act } = body;
    await demandPermission({ action: `run.${act.act}`, method: "POST" }, asker, desk, { params, body });
    const theirs = "filter" in selection ? { filter: narrowed(permissions, selection.filter) } : selection;
    return { status: 201, body: await planning.makePlan(desk, act, theirs) };
  },
);

export const getPlan = endpoint(
  {
    method: "GET",
    path: "/v1/plans/{planId}",
    action: "operation.read",
    standby: false,
    summary: "A plan with the first of its items",
    params: ofPlan,
    answer: planSchema,
    statuses: { 200: "The plan" },
  },
  async ({ params, server }) => ({
    status: 200,
    body: await readPlan(server.db, params.planId),
  }),
);

export const listPlanItems = endpoint(
  {
    method: "GET",
    path: "/v1/plans/{planId}/items",
    action: "operation.read",
    standby: false,
    summary: "What a plan would do to each run, newest first; of a cancel, oldest first",
    params: ofPlan,
    query: planItemListQuery,
    answer: planItemListResponse,
    statuses: { 200: "A page of items" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await readItemsOfPlan(server.db, params.planId, query),
  }),
);

export const requestPlanApproval = endpoint(
  {
    method: "POST",
    path: "/v1/plans/{planId}/approval",
    action: "plan.execute",
    summary: "Ask for a second person's yes to a plan whose workflow demands one",
    params: ofPlan,
    body: planApprovalRequest,
    answer: planApprovalSchema,
    statuses: { 201: "The request, which waits for a second person" },
  },
  async ({ desk, params, body, asker, server }) => ({
    status: 201,
    body: await approving.requestApproval(desk, { ...params, ...body, ...eyesOf(asker, server) }),
  }),
);

export const answerPlanApproval = endpoint(
  {
    method: "POST",
    path: "/v1/plans/{planId}/approval/answer",
    action: "plan.approve",
    summary: "Approve or reject a plan that another person proposed; an approval counts once, for an hour",
    params: ofPlan,
    body: planApprovalAnswer,
    answer: planApprovalSchema,
    statuses: { 200: "The approval, or the refusal" },
  },
  async ({ desk, params, body, asker, server }) => ({
    status: 200,
    body: await approving.answerApproval(desk, { ...params, ...body, ...eyesOf(asker, server) }),
  }),
);

export const listPlanApprovals = endpoint(
  {
    method: "GET",
    path: "/v1/plan-approvals",
    action: "operation.read",
    standby: false,
    summary: "Plans that wait for a second person, or have their yes and wait to be carried out; longest first",
    query: planApprovalListQuery,
    answer: planApprovalListResponse,
    statuses: { 200: "A page of requests" },
  },
  async ({ query, server, permissions }) => {
    // They are not divided by workflow.
    if (permissions.workflows) demand(permissions, "plan.approve");
    return { status: 200, body: await readPlanApprovals(server.db, query) };
  },
);

const eyesOf = (asker: Asker | null, { env }: Server) => ({ personId: asker?.personId ?? null, signIn: env.signIn });
