import type { ParamsOfAct } from "../../actions/actions";
import { whyAssigned } from "../../actions/assign";
import type { OperatorAct } from "../../engine/runs/operator-acts";
import { carryOut, carryOutDeletion, type Requested } from "../../operator/actions/command";
import * as unmasking from "../../operator/masking/unmask";
import { withOwnActs } from "../access/narrow";
import {
  answerRequest,
  assignmentRequest,
  compensationResolutionRequest,
  runActRequest,
  runEventRequest,
  stepResolutionRequest,
  unmaskingRequest,
} from "../contract/requests";
import { deletionSchema } from "../contract/responses";
import { runSchema } from "../contract/run";
import { type Endpoint, type EndpointCall, endpoint } from "../endpoint";
import { MAX_VALUE_BYTES, ofRun, ofStep } from "./params";

type OnRun<Body> = Pick<EndpointCall<{ runId: string }, unknown, Body>, "desk" | "params" | "body" | "server">;

const onRun = <Act extends OperatorAct>(
  { desk, params: { runId }, server }: OnRun<unknown>,
  requested: Omit<Requested<Act>, "runId">,
) => carryOut({ ...desk, code: server.code }, { ...requested, runId });

/** An action on a run whose parameters are the body's fields. @param id the body's name in the OpenAPI document */
const onWholeRun = <Act extends OperatorAct, const Path extends Endpoint["path"]>(
  act: Act,
  id: string,
  given: Pick<Endpoint, "summary" | "statuses"> & { path: Path },
) =>
  endpoint(
    {
      ...given,
      method: "POST",
      action: `run.${act}`,
      params: ofRun,
      body: runActRequest(act, id),
      answer: runSchema,
      narrow: withOwnActs,
    },
    async (call) => {
      const { reason, revision, ...params } = call.body;
      const requested = { act, params: params as ParamsOfAct<Act>, reason, revision };
      return { status: 202, body: await onRun(call, requested) };
    },
  );

export const rerunRun = onWholeRun("rerun", "RerunRequest", {
  path: "/v1/runs/{runId}/reruns",
  summary: "Rerun the failed steps, or from a step on, in the same run; earlier results are kept",
  statuses: { 202: "The run, which a worker takes up" },
});

export const cancelRun = onWholeRun("cancel", "CancellationRequest", {
  path: "/v1/runs/{runId}/cancellation",
  summary: "Cancel a run; the current step may finish",
  statuses: { 202: "The run, which is cancelled or about to be" },
});

export const pauseRun = onWholeRun("pause", "PauseRequest", {
  path: "/v1/runs/{runId}/pause",
  summary: "Pause a run: the step in flight finishes and is recorded, nothing after it begins, no timer fires",
  statuses: { 202: "The run, which is paused or about to be" },
});

export const resumeRun = onWholeRun("resume", "ResumptionRequest", {
  path: "/v1/runs/{runId}/resumption",
  summary: "Resume a paused run: its timers are due as they were, those that have passed at once",
  statuses: { 202: "The run, which goes on" },
});

export const wakeRun = onWholeRun("wake", "WakeUpRequest", {
  path: "/v1/runs/{runId}/wakeups",
  summary: "End a wait for a timer now: of the step, or every one of the run",
  statuses: { 202: "The run, which a worker takes up" },
});

export const compensateRun = onWholeRun("compensate", "CompensationsRequest", {
  path: "/v1/runs/{runId}/compensations",
  summary: "Compensate the run, in reverse order of completion; or retry its failed compensations",
  statuses: { 202: "The run, which is being compensated" },
});

export const snoozeRun = onWholeRun("snooze", "SnoozeRequest", {
  path: "/v1/runs/{runId}/snooze",
  summary:
    "Leave a run, or one compensation of it, out of what needs attention until a time or until it changes; `now` ends that",
  statuses: { 202: "The run, which comes back by itself" },
});

export const eraseRun = onWholeRun("erase", "ErasureRequest", {
  path: "/v1/runs/{runId}/erasure",
  summary: "Replace the data of a run that has ended, and of its descendants, by markers; names, keys and times stay",
  statuses: { 202: "The run without its data" },
});

export const deleteRun = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/deletion",
    action: "run.delete",
    summary: "Delete a run that has ended, with its descendants and all of their data; the audit log stays",
    params: ofRun,
    body: runActRequest("delete", "DeletionRequest"),
    answer: deletionSchema,
    statuses: { 200: "How many runs were deleted" },
  },
  async ({ desk, params, body, server }) => ({
    status: 200,
    body: await carryOutDeletion({ ...desk, code: server.code }, { ...params, ...body }),
  }),
);

export const resolveCompensation = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/compensations/{step}/resolution",
    action: "run.mark_compensated",
    summary: "Record that a person compensated a step, or that no compensation is due",
    params: ofStep,
    body: compensationResolutionRequest,
    answer: runSchema,
    narrow: withOwnActs,
    statuses: { 200: "The run" },
  },
  async (call) => {
    const { note: reason, revision, ...chosen } = call.body;
    const params = { ...chosen, step: call.params.step };
    return { status: 200, body: await onRun(call, { act: "mark_compensated", params, reason, revision }) };
  },
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
    narrow: withOwnActs,
    statuses: { 200: "The run" },
  },
  async (call) => {
    const { signIn, demo: inDemo } = call.server.env;
    const { reason, ...chosen } = call.body;
    const params = { ...chosen, step: call.params.step, signIn, inDemo };
    const why = reason ?? whyAssigned(chosen.assignee, call.desk.by.name);
    return { status: 200, body: await onRun(call, { act: "assign", params, reason: why }) };
  },
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
    narrow: withOwnActs,
    statuses: { 202: "The run" },
  },
  async (call) => {
    const { reason, revision, ...chosen } = call.body;
    const params = { ...chosen, step: call.params.step };
    return { status: 202, body: await onRun(call, { act: "settle", params, reason, revision }) };
  },
);

export const sendRunEvent = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/events",
    action: "run.send_event",
    summary: "Send an event to a run, for a step that waits for it now or later",
    params: ofRun,
    body: runEventRequest,
    maxBodyBytes: MAX_VALUE_BYTES,
    answer: runSchema,
    narrow: withOwnActs,
    statuses: { 202: "The run, which a worker wakes if it waits for this event" },
  },
  async (call) => {
    const { reason = `Event "${call.body.name}" sent`, revision, ...params } = call.body;
    return { status: 202, body: await onRun(call, { act: "send_event", params, reason, revision }) };
  },
);

export const answerApproval = endpoint(
  {
    method: "POST",
    path: "/v1/runs/{runId}/approvals/{step}/answer",
    action: "run.answer",
    summary: "Answer what a run asks; the first answer counts",
    params: ofStep,
    body: answerRequest,
    answer: runSchema,
    narrow: withOwnActs,
    statuses: { 202: "The run, which goes on with the answer" },
  },
  async (call) => {
    const { revision, ...chosen } = call.body;
    const params = { ...chosen, step: call.params.step };
    return {
      status: 202,
      body: await onRun(call, { act: "answer", params, reason: params.note ?? params.choice, revision }),
    };
  },
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
    narrow: withOwnActs,
    statuses: { 200: "The run, unmasked" },
  },
  async ({ desk, params, body }) => ({
    status: 200,
    body: await unmasking.unmask(desk, { ...params, ...body }),
  }),
);
