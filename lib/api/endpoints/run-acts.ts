import {
  assignmentRequest,
  cancellationRequest,
  compensationResolutionRequest,
  compensationsRequest,
  pauseRequest,
  rerunRequest,
  resumptionRequest,
  stepResolutionRequest,
  unmaskingRequest,
  wakeUpRequest,
} from "../contract/requests";
import { runSchema } from "../contract/run";
import { endpoint } from "../endpoint";
import { ofRun, ofStep } from "./params";

export const rerun = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/reruns",
  action: "run.rerun",
  summary: "Rerun the failed steps, or from a step on, in the same run; earlier results are kept",
  params: ofRun,
  body: rerunRequest,
  answer: runSchema,
  statuses: { 202: "The run, which a worker takes up" },
});

export const cancel = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/cancellation",
  action: "run.cancel",
  summary: "Cancel a run; the step in flight is let finish",
  params: ofRun,
  body: cancellationRequest,
  answer: runSchema,
  statuses: { 202: "The run, which is cancelled or about to be" },
});

export const pause = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/pause",
  action: "run.pause",
  summary: "Pause a run: the step in flight finishes and is recorded, nothing after it begins, no timer fires",
  params: ofRun,
  body: pauseRequest,
  answer: runSchema,
  statuses: { 202: "The run, which is paused or about to be" },
});

export const resume = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/resumption",
  action: "run.resume",
  summary: "Resume a paused run: its timers are due as they were, those that have passed at once",
  params: ofRun,
  body: resumptionRequest,
  answer: runSchema,
  statuses: { 202: "The run, which goes on" },
});

export const wake = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/wakeups",
  action: "run.wake",
  summary: "End a wait for a timer now: of the step, or every one of the run",
  params: ofRun,
  body: wakeUpRequest,
  answer: runSchema,
  statuses: { 202: "The run, which a worker takes up" },
});

export const compensate = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/compensations",
  action: "run.compensate",
  summary: "Undo what the run did, in reverse order of completion; or try its failed undos again",
  params: ofRun,
  body: compensationsRequest,
  answer: runSchema,
  statuses: { 202: "The run, which is being compensated" },
});

export const markCompensated = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/compensations/{step}/resolution",
  action: "run.mark_compensated",
  summary: "Record that a person undid a step, or that no undo is due",
  params: ofStep,
  body: compensationResolutionRequest,
  answer: runSchema,
  statuses: { 200: "The run" },
});

export const assignCompensation = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/compensations/{step}/assignment",
  action: "run.assign",
  summary: "Take an undo, give it back, or hand it to somebody else",
  params: ofStep,
  body: assignmentRequest,
  answer: runSchema,
  statuses: { 200: "The run" },
});

export const settleStep = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/steps/{step}/resolution",
  action: "run.settle",
  summary: "Settle a step with an unknown outcome, or skip or supply a failed one",
  params: ofStep,
  body: stepResolutionRequest,
  answer: runSchema,
  statuses: { 202: "The run" },
});

export const unmask = endpoint({
  method: "POST",
  path: "/v1/runs/{runId}/unmasking",
  action: "payload.read",
  summary: "Look at a run whole, with its masked values; the audit tells of it, and no key brings the answer back",
  params: ofRun,
  body: unmaskingRequest,
  masked: false,
  answer: runSchema,
  statuses: { 200: "The run, unmasked" },
});
