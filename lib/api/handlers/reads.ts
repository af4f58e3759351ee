import { waitForEnd } from "../../operator/wait-for-end";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const listRuns = route(endpoints.listRuns, async ({ query, server }) => ({
  status: 200,
  body: await server.reads.runs(query),
}));

export const countRuns = route(endpoints.countRuns, async ({ query, server }) => ({
  status: 200,
  body: await server.reads.runCounts(query),
}));

export const getRun = route(endpoints.getRun, async ({ params, server }) => ({
  status: 200,
  body: await server.reads.run(params.runId),
}));

export const listRunLog = route(endpoints.listRunLog, async ({ params, query, server }) => ({
  status: 200,
  body: await server.reads.runLog(params.runId, query),
}));

export const listChildren = route(endpoints.listChildren, async ({ params, query, server }) => ({
  status: 200,
  body: await server.reads.children(params.runId, query),
}));

export const getResult = route(endpoints.getResult, async ({ params, query, server, request }) => {
  const { db, feed, reads } = server;
  const ended = await waitForEnd(db, feed, params.runId, { waitMs: query.waitMs, signal: request.signal });
  return { status: ended ? 200 : 202, body: await reads.run(params.runId) };
});

export const getOverview = route(endpoints.getOverview, async ({ server }) => ({
  status: 200,
  body: await server.reads.overview(),
}));

export const listCompensations = route(endpoints.listCompensations, async ({ query, server }) => ({
  status: 200,
  body: await server.reads.compensations(query),
}));

export const listApprovals = route(endpoints.listApprovals, async ({ query, server }) => ({
  status: 200,
  body: await server.reads.approvals(query),
}));

export const listWorkers = route(endpoints.listWorkers, async ({ server }) => ({
  status: 200,
  body: await server.reads.workers(),
}));

export const getRetention = route(endpoints.getRetention, async ({ server }) => ({
  status: 200,
  body: await server.reads.retention(),
}));

export const listWorkflows = route(endpoints.listWorkflows, async ({ server }) => ({
  status: 200,
  body: await server.reads.workflows(),
}));
