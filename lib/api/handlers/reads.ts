import { readAssignees } from "../../operator/assign";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const listRuns = route(endpoints.listRuns, async ({ query, reads }) => ({
  status: 200,
  body: await reads.runs(query),
}));

export const countRuns = route(endpoints.countRuns, async ({ query, reads }) => ({
  status: 200,
  body: await reads.runCounts(query),
}));

export const runHistogram = route(endpoints.runHistogram, async ({ query, reads }) => ({
  status: 200,
  body: await reads.runHistogram(query),
}));

export const getRun = route(endpoints.getRun, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.run(params.runId, query),
}));

export const listSteps = route(endpoints.listSteps, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.steps(params.runId, query),
}));

export const getStep = route(endpoints.getStep, async ({ params, reads }) => ({
  status: 200,
  body: await reads.step(params.runId, params.step),
}));

export const listRunLog = route(endpoints.listRunLog, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.runLog(params.runId, query),
}));

export const listChildren = route(endpoints.listChildren, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.children(params.runId, query),
}));

export const getResult = route(endpoints.getResult, async ({ params, query, asker, reads, server, request }) => {
  const waiting = { waitMs: query.waitMs, signal: request.signal, by: asker?.accountable ?? null };
  const ended = await server.ends.untilEnd(params.runId, waiting);
  return { status: ended ? 200 : 202, body: await reads.run(params.runId) };
});

export const search = route(endpoints.search, async ({ query, reads }) => ({
  status: 200,
  body: await reads.search(query),
}));

export const getOverview = route(endpoints.getOverview, async ({ reads }) => ({
  status: 200,
  body: await reads.overview(),
}));

export const listCompensations = route(endpoints.listCompensations, async ({ query, reads }) => ({
  status: 200,
  body: await reads.compensations(query),
}));

export const countCompensations = route(endpoints.countCompensations, async ({ query, reads }) => ({
  status: 200,
  body: await reads.compensationCounts(query),
}));

export const listAssignees = route(endpoints.listAssignees, async ({ params, server }) => ({
  status: 200,
  body: {
    assignees: server.env.signIn ? await readAssignees(server.db, params.workflow, server.env.demo) : null,
  },
}));

export const listApprovals = route(endpoints.listApprovals, async ({ query, reads }) => ({
  status: 200,
  body: await reads.approvals(query),
}));

export const listWorkers = route(endpoints.listWorkers, async ({ reads }) => ({
  status: 200,
  body: await reads.workers(),
}));

export const getRetention = route(endpoints.getRetention, async ({ reads }) => ({
  status: 200,
  body: await reads.retention(),
}));

export const listWorkflows = route(endpoints.listWorkflows, async ({ reads }) => ({
  status: 200,
  body: await reads.workflows(),
}));
