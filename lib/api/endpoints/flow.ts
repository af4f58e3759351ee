import { readDatabaseHealth } from "../../operator/health/database-health";
import { readFlow, readWorkflowFlow } from "../../operator/overview/flow-view";
import { narrowed } from "../access/narrow";
import {
  databaseHealthResponse,
  flowQuery,
  flowResponse,
  workflowFlowQuery,
  workflowFlowResponse,
} from "../contract/flow";
import { endpoint } from "../endpoint";
import { ofWorkflow } from "./params";

export const getFlow = endpoint(
  {
    method: "GET",
    path: "/v1/flow",
    action: "workflow.read",
    summary: "How many runs began and ended in a window, how long they took, and the same of the window before it",
    query: flowQuery,
    answer: flowResponse,
    statuses: { 200: "Counts and percentiles, point by point and by workflow" },
  },
  async ({ query, server, permissions }) => {
    const { window = "1h", workflow } = narrowed(permissions, query, "workflow.read");
    return { status: 200, body: await readFlow(server.db, { window, workflow }) };
  },
);

export const getWorkflowFlow = endpoint(
  {
    method: "GET",
    path: "/v1/workflows/{workflow}/flow",
    action: "workflow.read",
    summary: "The same of one workflow, with its versions and steps",
    params: ofWorkflow,
    query: workflowFlowQuery,
    answer: workflowFlowResponse,
    statuses: { 200: "Counts and percentiles, point by point, by version and by step" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await readWorkflowFlow(server.db, params.workflow, query.window),
  }),
);

export const getDatabaseHealth = endpoint(
  {
    method: "GET",
    path: "/v1/database",
    action: "system.read",
    summary: "Health of the database, as far as it matters to runs, and what to do about each finding",
    answer: databaseHealthResponse,
    statuses: { 200: "Findings and facts" },
  },
  async ({ server }) => ({
    status: 200,
    body: await readDatabaseHealth(server.db, server.standby),
  }),
);
