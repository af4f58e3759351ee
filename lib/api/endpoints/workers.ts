import { type Permissions, seesWorkflow } from "../../engine/access/permission";
import { readWorkers } from "../../operator/runs/reads";
import { readRetention } from "../../operator/workflows/retention";
import { onlyVisible } from "../access/narrow";
import { driveRequest, driveResponse } from "../contract/drives";
import { retentionResponse, workerListResponse } from "../contract/responses";
import { endpoint } from "../endpoint";

export const listWorkers = endpoint(
  {
    method: "GET",
    path: "/v1/workers",
    action: "system.read",
    summary: "Live workers, and the last inactive ones",
    answer: workerListResponse,
    statuses: { 200: "The workers" },
  },
  async ({ server, permissions }) => {
    const { workers, ...rest } = await readWorkers(server.db);
    return { status: 200, body: { ...rest, workers: workers.flatMap((worker) => asSeen(worker, permissions)) } };
  },
);

/** An Idempotency-Key has nothing to keep here: a repeated request finds less to do. */
export const driveRuns = endpoint(
  {
    method: "POST",
    path: "/v1/worker/drives",
    action: "worker.drive",
    summary: "Run a worker for a bounded time, for platforms without processes; calls may overlap",
    body: driveRequest,
    answer: driveResponse,
    statuses: { 200: "What was done, and when to call again" },
  },
  async ({ body, server }) => {
    const { ended, ...rest } = await server.drive(body);
    const { completed, failed, cancelled, waiting: suspended, pending: handedBack, compensating, lost } = ended;
    const ends = { completed, failed, cancelled, suspended, handedBack, compensating, lost };
    return { status: 200, body: { ...rest, ended: completed + failed + cancelled, ...ends } };
  },
);

export const getRetention = endpoint(
  {
    method: "GET",
    path: "/v1/retention",
    action: "system.read",
    summary: "For how long ended runs are kept, and what will be deleted next",
    answer: retentionResponse,
    statuses: { 200: "By workflow" },
  },
  async ({ server, permissions }) => {
    const { workflows, ...rest } = await readRetention(server.db);
    return { status: 200, body: { ...rest, workflows: onlyVisible(permissions, workflows) } };
  },
);

/**
 * A worker without the workflows that the caller may not see. Left out when no workflow remains; a worker without any
 * workflows is listed.
 */
function asSeen<Worker extends { workflows: string[] }>(worker: Worker, permissions: Permissions): Worker[] {
  const workflows = worker.workflows.filter((name) => seesWorkflow(permissions, name));
  return workflows.length > 0 || worker.workflows.length === 0 ? [{ ...worker, workflows }] : [];
}
