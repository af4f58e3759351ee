import { driveRequest, driveResponse } from "../contract/drives";
import { retentionResponse, workerListResponse } from "../contract/responses";
import { endpoint } from "../endpoint";

export const listWorkers = endpoint({
  method: "GET",
  path: "/v1/workers",
  action: "system.read",
  summary: "Workers at work, and the last ones that are gone",
  answer: workerListResponse,
  statuses: { 200: "The workers" },
});

export const driveRuns = endpoint({
  method: "POST",
  path: "/v1/worker/drives",
  action: "worker.drive",
  summary: "Be a worker for a bounded time, for platforms without processes; calls may overlap",
  body: driveRequest,
  answer: driveResponse,
  statuses: { 200: "What was done, and when to call again" },
});

export const getRetention = endpoint({
  method: "GET",
  path: "/v1/retention",
  action: "system.read",
  summary: "For how long ended runs are kept, and what will be deleted next",
  answer: retentionResponse,
  statuses: { 200: "By workflow" },
});
