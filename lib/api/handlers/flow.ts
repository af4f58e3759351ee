import * as endpoints from "../endpoints";
import { route } from "../route";

export const getFlow = route(endpoints.getFlow, async ({ query, reads }) => ({
  status: 200,
  body: await reads.flow(query),
}));

export const getWorkflowFlow = route(endpoints.getWorkflowFlow, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.workflowFlow(params.workflow, query.window),
}));

export const getDatabaseHealth = route(endpoints.getDatabaseHealth, async ({ reads }) => ({
  status: 200,
  body: await reads.databaseHealth(),
}));
