import * as answering from "../../operator/actions/answer-approval";
import * as sending from "../../operator/actions/send-event";
import { readApprovals } from "../../operator/runs/reads";
import { onlyVisible } from "../access/narrow";
import { answerRequest, approvalListQuery, eventRequest, runEventRequest } from "../contract/requests";
import { approvalListResponse, sentEventResponse } from "../contract/responses";
import { runSchema } from "../contract/run";
import { endpoint } from "../endpoint";
import { MAX_VALUE_BYTES, ofRun, ofStep } from "./params";

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
    statuses: { 202: "The run, which a worker wakes if it waits for this event" },
  },
  async ({ desk, params, body, server }) => ({
    status: 202,
    body: await sending.sendEventToRun(desk, server.workflows, { ...params, ...body }),
  }),
);

export const sendEvent = endpoint(
  {
    method: "POST",
    path: "/v1/events",
    action: "event.send",
    summary: "Send an event to runs that wait for its key, now or later, and to the workflows that begin with it",
    body: eventRequest,
    maxBodyBytes: MAX_VALUE_BYTES,
    answer: sentEventResponse,
    statuses: { 202: "The event is kept" },
  },
  ({ desk, body, server }) => sending.sendEventToKey(desk, server.workflows, body),
);

export const listApprovals = endpoint(
  {
    method: "GET",
    path: "/v1/approvals",
    action: "board.read",
    summary: "Questions that wait for an answer, oldest first",
    query: approvalListQuery,
    answer: approvalListResponse,
    statuses: { 200: "A page of questions" },
  },
  async ({ query, server, permissions }) => {
    const { approvals, ...rest } = await readApprovals(server.db, query);
    return { status: 200, body: { ...rest, approvals: onlyVisible(permissions, approvals) } };
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
    statuses: { 202: "The run, which goes on with the answer" },
  },
  async ({ desk, params, body }) => ({
    status: 202,
    body: await answering.answerApproval(desk, { ...params, ...body }),
  }),
);
