import * as assigning from "../../operator/actions/assign";
import * as cancelling from "../../operator/actions/cancel";
import * as rerunning from "../../operator/actions/rerun";
import * as controlling from "../../operator/actions/run-control";
import * as settling from "../../operator/actions/settle-step";
import * as compensating from "../../operator/compensations/compensate";
import * as unmasking from "../../operator/masking/unmask";
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

export const rerunRun = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/reruns",
    action: "run.rerun",
    summary: "Rerun the failed steps, or from a step on, in the same run; earlier results are kept",
    params: ofRun,
    body: rerunRequest,
    answer: runSchema,
    statuses: { 202: "The run, which a worker takes up" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await rerunning.rerun(desk, { ...params, ...body }),
  }),
);

export const cancelRun = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/cancellation",
    action: "run.cancel",
    summary: "Cancel a run; the current step may finish",
    params: ofRun,
    body: cancellationRequest,
    answer: runSchema,
    statuses: { 202: "The run, which is cancelled or about to be" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await cancelling.cancel(desk, { ...params, ...body }),
  }),
);

export const pauseRun = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/pause",
    action: "run.pause",
    summary: "Pause a run: the step in flight finishes and is recorded, nothing after it begins, no timer fires",
    params: ofRun,
    body: pauseRequest,
    answer: runSchema,
    statuses: { 202: "The run, which is paused or about to be" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await controlling.pause(desk, { ...params, ...body }),
  }),
);

export const resumeRun = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/resumption",
    action: "run.resume",
    summary: "Resume a paused run: its timers are due as they were, those that have passed at once",
    params: ofRun,
    body: resumptionRequest,
    answer: runSchema,
    statuses: { 202: "The run, which goes on" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await controlling.resume(desk, { ...params, ...body }),
  }),
);

export const wakeRun = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/wakeups",
    action: "run.wake",
    summary: "End a wait for a timer now: of the step, or every one of the run",
    params: ofRun,
    body: wakeUpRequest,
    answer: runSchema,
    statuses: { 202: "The run, which a worker takes up" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await controlling.wake(desk, { ...params, ...body }),
  }),
);

export const compensateRun = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/compensations",
    action: "run.compensate",
    summary: "Undo what the run did, in reverse order of completion; or try its failed undos again",
    params: ofRun,
    body: compensationsRequest,
    answer: runSchema,
    statuses: { 202: "The run, which is being compensated" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await compensating.compensate(desk, { ...params, ...body }),
  }),
);

export const resolveCompensation = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/compensations/{step}/resolution",
    action: "run.mark_compensated",
    summary: "Record that a person undid a step, or that no undo is due",
    params: ofStep,
    body: compensationResolutionRequest,
    answer: runSchema,
    statuses: { 200: "The run" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await compensating.markCompensated(desk, { ...params, ...body }),
  }),
);

export const assignCompensation = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/compensations/{step}/assignment",
    action: "run.assign",
    summary: "Take a compensation, give it back, or assign it to another person",
    params: ofStep,
    body: assignmentRequest,
    answer: runSchema,
    statuses: { 200: "The run" },
  },
  async ({ desk, params, body, server }) => ({
    status: 200,
    body: await assigning.assign(desk, { ...params, ...body, signIn: server.env.signIn, inDemo: server.env.demo }),
  }),
);

export const resolveStep = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/steps/{step}/resolution",
    action: "run.settle",
    summary: "Settle a step with an unknown outcome, or skip or supply a failed one",
    params: ofStep,
    body: stepResolutionRequest,
    answer: runSchema,
    statuses: { 202: "The run" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await settling.settleStep(desk, { ...params, ...body }),
  }),
);

export const unmaskRun = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/unmasking",
    action: "payload.read",
    summary: "Read a run with its masked values; the audit log records it, and no idempotency key repeats the answer",
    params: ofRun,
    body: unmaskingRequest,
    masked: false,
    answer: runSchema,
    statuses: { 200: "The run, unmasked" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await unmasking.unmask(desk, { ...params, ...body }),
  }),
);
