import * as intaking from "../../operator/workflows/intake";
import * as limiting from "../../operator/workflows/limits";
import { readWorkflows } from "../../operator/workflows/workflow-view";
import { intakeClosureRequest, intakeOpeningRequest, limitsRequest } from "../contract/requests";
import { workflowListResponse, workflowSchema } from "../contract/responses";
import { endpoint } from "../endpoint";
import { ofWorkflow } from "./params";

export const listWorkflows = endpoint(
  {
    method: "GET",
    path: "/v1/workflows",
    action: "workflow.read",
    standby: false,
    summary: "Workflows that workers have registered, each version",
    answer: workflowListResponse,
    statuses: { 200: "The workflows" },
  },
  async ({ server, permissions }) => ({ status: 200, body: await readWorkflows(server.db, permissions.workflows) }),
);

export const changeLimits = endpoint(
  {
    method: "POST",
    path: "/v1/workflows/{workflow}/limits",
    action: "workflow.change_limits",
    summary: "Override the limits of a workflow's code, live; with neither, the code's apply again",
    params: ofWorkflow,
    body: limitsRequest,
    answer: workflowSchema,
    statuses: { 200: "The workflow's newest version" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await limiting.changeLimits(desk, { ...params, ...body }),
  }),
);

export const closeIntake = endpoint(
  {
    method: "POST",
    path: "/v1/workflows/{workflow}/intake/closure",
    action: "workflow.close_intake",
    summary: "Close a workflow's intake: runs are accepted, and none of them begins",
    params: ofWorkflow,
    body: intakeClosureRequest,
    answer: workflowSchema,
    statuses: { 200: "The workflow's newest version" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await intaking.closeIntake(desk, { ...params, ...body }),
  }),
);

export const openIntake = endpoint(
  {
    method: "POST",
    path: "/v1/workflows/{workflow}/intake/opening",
    action: "workflow.open_intake",
    summary: "Open a workflow's intake: what was held goes on, by priority and age",
    params: ofWorkflow,
    body: intakeOpeningRequest,
    answer: workflowSchema,
    statuses: { 200: "The workflow's newest version" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await intaking.openIntake(desk, { ...params, ...body }),
  }),
);
