import * as sending from "../../operator/actions/send-event";
import { readApprovals } from "../../operator/runs/reads";
import { approvalListQuery, eventRequest } from "../contract/requests";
import { approvalListResponse, sentEventResponse } from "../contract/responses";
import { endpoint } from "../endpoint";
import { MAX_VALUE_BYTES } from "./params";

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
  ({ desk, body, server }) => sending.sendEventToKey(desk, server.code, body),
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
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readApprovals(server.db, query, permissions.workflows),
  }),
);
