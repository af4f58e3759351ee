import { z } from "zod";
import { childListResponse } from "./contract/family";
import { runLogQuery, runLogResponse } from "./contract/log";
import {
  answerRequest,
  approvalListQuery,
  cancellationRequest,
  childListQuery,
  compensationListQuery,
  compensationResolutionRequest,
  compensationsRequest,
  eventRequest,
  limitsRequest,
  pauseRequest,
  plainText,
  rerunRequest,
  resultQuery,
  resumptionRequest,
  runEventRequest,
  runFilter,
  runListQuery,
  startRunRequest,
  startRunsRequest,
  stepResolutionRequest,
  wakeUpRequest,
} from "./contract/requests";
import {
  approvalListResponse,
  changeEvent,
  compensationListResponse,
  healthResponse,
  overviewResponse,
  runCountsResponse,
  runListResponse,
  sentEventResponse,
  startRunsResponse,
  workerListResponse,
  workflowListResponse,
  workflowSchema,
} from "./contract/responses";
import { json, runSchema } from "./contract/run";
import { endpoint } from "./endpoint";

export * from "./intake-endpoints";
export * from "./remote-endpoints";
export * from "./retention-endpoint";
export * from "./schedule-endpoints";
export * from "./worker-endpoints";

const ofRun = z.strictObject({ runId: z.uuid() });
const ofStep = z.strictObject({ runId: z.uuid(), step: plainText.min(1).max(200) });

const MAX_START_BYTES = 2_097_152;
const MAX_STARTS_BYTES = 16_777_216;

export const listRuns = endpoint({
  method: "GET",
  path: "/v1/runs",
  summary: "List runs, newest first",
  query: runListQuery,
  answer: runListResponse,
  statuses: { 200: "A page of runs" },
});

export const startRun = endpoint({
  method: "POST",
  path: "/v1/runs",
  summary: "Start a run",
  body: startRunRequest,
  maxBodyBytes: MAX_START_BYTES,
  answer: runSchema,
  statuses: { 201: "The run that was started", 200: "The run that the same idempotencyKey and input had started" },
});

export const startRuns = endpoint({
  method: "POST",
  path: "/v1/runs/batch",
  summary: "Start up to 10,000 runs of a workflow in one transaction",
  body: startRunsRequest,
  maxBodyBytes: MAX_STARTS_BYTES,
  answer: startRunsResponse,
  statuses: { 201: "The runs, in order; those whose idempotencyKey had started them before among them" },
});

export const countRuns = endpoint({
  method: "GET",
  path: "/v1/runs/counts",
  summary:
    "Count runs by status and by attention, up to 10,000 each; each count ignores the filter on its own dimension",
  query: runFilter,
  answer: runCountsResponse,
  statuses: { 200: "The counts" },
});

export const getRun = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}",
  summary: "One run whole",
  params: ofRun,
  answer: runSchema,
  statuses: { 200: "The run" },
});

export const listRunLog = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/logs",
  summary: "What the run's code said, in order; `q` finds text in message, data and step",
  params: ofRun,
  query: runLogQuery,
  answer: runLogResponse,
  statuses: { 200: "A page of lines" },
});

export const listChildren = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/children",
  summary: "List the runs that a run has started, newest first, each with how many are below it",
  params: ofRun,
  query: childListQuery,
  answer: childListResponse,
  statuses: { 200: "A page of runs" },
});

export const getResult = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/result",
  summary: "Wait for the end of a run, up to 60 seconds",
  params: ofRun,
  query: resultQuery,
  answer: runSchema,
  statuses: { 200: "The run, which has ended", 202: "The run, which has not ended yet" },
});

export const rerun = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/reruns",
  summary: "Rerun the failed steps, or from a step on, in the same run; earlier results are kept",
  params: ofRun,
  body: rerunRequest,
  answer: runSchema,
  statuses: { 202: "The run, which a worker takes up" },
});

export const cancel = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/cancellation",
  summary: "Cancel a run; the step in flight is let finish",
  params: ofRun,
  body: cancellationRequest,
  answer: runSchema,
  statuses: { 202: "The run, which is cancelled or about to be" },
});

export const pause = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/pause",
  summary: "Pause a run: the step in flight finishes and is recorded, nothing after it begins, no timer fires",
  params: ofRun,
  body: pauseRequest,
  answer: runSchema,
  statuses: { 202: "The run, which is paused or about to be" },
});

export const resume = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/resumption",
  summary: "Resume a paused run: its timers are due as they were, those that have passed at once",
  params: ofRun,
  body: resumptionRequest,
  answer: runSchema,
  statuses: { 202: "The run, which goes on" },
});

export const wake = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/wakeups",
  summary: "End a wait for a timer now: of the step, or every one of the run",
  params: ofRun,
  body: wakeUpRequest,
  answer: runSchema,
  statuses: { 202: "The run, which a worker takes up" },
});

export const compensate = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/compensations",
  summary: "Undo what the run did, in reverse order of completion; or try its failed undos again",
  params: ofRun,
  body: compensationsRequest,
  answer: runSchema,
  statuses: { 202: "The run, which is being compensated" },
});

export const markCompensated = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/compensations/{step}/resolution",
  summary: "Record that a person undid a step, or that no undo is due",
  params: ofStep,
  body: compensationResolutionRequest,
  answer: runSchema,
  statuses: { 200: "The run" },
});

export const settleStep = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/steps/{step}/resolution",
  summary: "Settle a step with an unknown outcome, or skip or supply a failed one",
  params: ofStep,
  body: stepResolutionRequest,
  answer: runSchema,
  statuses: { 202: "The run" },
});

export const sendRunEvent = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/events",
  summary: "Send an event to a run, for a step that waits for it now or later",
  params: ofRun,
  body: runEventRequest,
  maxBodyBytes: MAX_START_BYTES,
  answer: runSchema,
  statuses: { 202: "The run, which a worker wakes if it waits for this event" },
});

export const sendEvent = endpoint({
  method: "POST",
  path: "/v1/events",
  summary: "Send an event to whoever waits for its key, now or later, and to the workflows that begin with it",
  body: eventRequest,
  maxBodyBytes: MAX_START_BYTES,
  answer: sentEventResponse,
  statuses: { 202: "It is kept" },
});

export const answerApproval = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/approvals/{step}/answer",
  summary: "Answer what a run asks; the first answer counts",
  params: ofStep,
  body: answerRequest,
  answer: runSchema,
  statuses: { 202: "The run, which goes on with the answer" },
});

export const listApprovals = endpoint({
  method: "GET",
  path: "/v1/approvals",
  summary: "Questions that wait for an answer, oldest first",
  query: approvalListQuery,
  answer: approvalListResponse,
  statuses: { 200: "A page of questions" },
});

export const getOverview = endpoint({
  method: "GET",
  path: "/v1/overview",
  summary: "What needs a person, and how the system is doing",
  answer: overviewResponse,
  statuses: { 200: "The overview" },
});

export const listCompensations = endpoint({
  method: "GET",
  path: "/v1/compensations",
  summary: "Compensations without an outcome, longest owed first",
  query: compensationListQuery,
  answer: compensationListResponse,
  statuses: { 200: "A page of compensations" },
});

export const listWorkers = endpoint({
  method: "GET",
  path: "/v1/workers",
  summary: "Workers at work, and the last ones that are gone",
  answer: workerListResponse,
  statuses: { 200: "The workers" },
});

export const listWorkflows = endpoint({
  method: "GET",
  path: "/v1/workflows",
  summary: "Workflows that workers have told of, each version",
  answer: workflowListResponse,
  statuses: { 200: "The workflows" },
});

export const changeLimits = endpoint({
  method: "POST",
  path: "/v1/workflows/{workflow}/limits",
  summary: "Put limits over those of a workflow's code, live; with neither, the code's are back",
  params: z.strictObject({ workflow: plainText.min(1).max(100) }),
  body: limitsRequest,
  answer: workflowSchema,
  statuses: { 200: "The workflow's newest version" },
});

export const followChanges = endpoint({
  method: "GET",
  path: "/v1/stream",
  summary: "Server-Sent Events: `change` says which runs changed, `resync` that some changes may have been missed",
  answer: changeEvent,
  statuses: { 200: "A stream of events, each with this data" },
  contentType: "text/event-stream",
});

export const getOpenApi = endpoint({
  method: "GET",
  path: "/v1/openapi.json",
  summary: "This document",
  answer: json,
  statuses: { 200: "An OpenAPI 3.1 document" },
});

const sandboxPath = z.strictObject({ path: plainText.max(100) });

export const readSandbox = endpoint({
  method: "GET",
  path: "/v1/sandbox/{path*}",
  summary: "Demo only: look at the sandbox, the outside world of the sample workflows",
  params: sandboxPath,
  answer: json,
  statuses: { 200: "What the sandbox says" },
});

export const changeSandbox = endpoint({
  method: "PUT",
  path: "/v1/sandbox/{path*}",
  summary: "Demo only: put a service of the sandbox into trouble, or out of it",
  params: sandboxPath,
  body: json,
  answer: json,
  statuses: { 200: "What the sandbox says" },
});

export const getLiveness = endpoint({
  method: "GET",
  path: "/health/live",
  summary: "Whether the process answers",
  answer: healthResponse,
  statuses: { 200: "It does" },
});

export const getReadiness = endpoint({
  method: "GET",
  path: "/health/ready",
  summary: "Whether the process can do its work, and what is wrong where it cannot",
  answer: healthResponse,
  statuses: { 200: "It can", 503: "It cannot" },
});
