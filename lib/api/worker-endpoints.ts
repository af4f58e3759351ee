import { driveRequest, driveResponse } from "./contract/drives";
import { endpoint } from "./endpoint";

export const driveRuns = endpoint({
  method: "POST",
  path: "/v1/worker/drives",
  summary: "Be a worker for a bounded time, for platforms without processes; calls may overlap",
  body: driveRequest,
  answer: driveResponse,
  statuses: { 200: "What was done, and when to call again" },
});
