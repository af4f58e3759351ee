import { z } from "zod";
import { ask } from "../../remote/ask";
import { claimFor } from "../../remote/claim";
import * as compensating from "../../remote/compensate";
import * as ending from "../../remote/end-claim";
import * as outcomes from "../../remote/outcome";
import { register } from "../../remote/register";
import { depart, heartbeat } from "../../remote/worker";
import {
  attemptRequest,
  CLAIM_HEADER,
  claimEndResponse,
  claimsRequest,
  claimsResponse,
  departureResponse,
  handBackRequest,
  heartbeatResponse,
  nextUndoSchema,
  outcomeRequest,
  permissionSchema,
  registrationRequest,
  registrationResponse,
  runEndRequest,
  standingSchema,
  undoOutcomeRequest,
  undoStandingSchema,
  undosRequest,
} from "../contract/remote";
import { endpoint } from "../endpoint";
import { MAX_VALUE_BYTES, ofRun, ofStep } from "./params";

const ofWorker = z.strictObject({ workerId: z.coerce.number().int().min(1).max(1e15) });

/** Registrations bring JSON Schemas. */
const MAX_REGISTRATION_BYTES = 1_048_576;

// The worker gets the complete data.
const post = { method: "POST", masked: false } as const;

export const registerWorker = endpoint(
  {
    ...post,
    path: "/v1/worker/registrations",
    action: "worker.work",
    summary: "Register a process in any language as a worker, with the workflows that it has",
    body: registrationRequest,
    maxBodyBytes: MAX_REGISTRATION_BYTES,
    answer: registrationResponse,
    statuses: { 201: "The worker: its id is this registration's, and a process that starts again registers anew" },
  },
  ({ desk, body, server }) => register(desk, body, server.env.keepMs),
);

export const sendHeartbeat = endpoint(
  {
    ...post,
    path: "/v1/worker/registrations/{workerId}/heartbeats",
    action: "worker.work",
    summary: "A worker's heartbeat, which renews its lease; send one every quarter of the lease",
    params: ofWorker,
    body: z.strictObject({}),
    answer: heartbeatResponse,
    statuses: { 200: "What operators request of its runs" },
  },
  async ({ desk, params }) => ({
    status: 200,
    body: await heartbeat(desk, params.workerId),
  }),
);

export const endRegistration = endpoint(
  {
    ...post,
    path: "/v1/worker/registrations/{workerId}/departure",
    action: "worker.work",
    summary: "Deregister a worker, once it has ended or handed back its runs",
    params: ofWorker,
    body: z.strictObject({}),
    answer: departureResponse,
    statuses: { 200: "The worker is gone, unless it still owns runs" },
  },
  async ({ desk, params }) => ({
    status: 200,
    body: await depart(desk, params.workerId),
  }),
);

export const claimRuns = endpoint(
  {
    ...post,
    path: "/v1/worker/registrations/{workerId}/claims",
    action: "worker.work",
    summary: "Claim runs of the worker's workflows, and wait for one if there is none",
    params: ofWorker,
    body: claimsRequest,
    answer: claimsResponse,
    statuses: { 200: "The runs, which are the worker's until it ends or hands back each" },
  },
  async ({ asker, desk, params, body, server, request }) => ({
    status: 200,
    body: await claimFor(desk, server.feed, params.workerId, {
      ...body,
      versionWaitMs: server.env.versionWaitMs,
      signal: request.signal,
      by: asker?.accountable ?? null,
    }),
  }),
);

export const beginAttempt = endpoint(
  {
    ...post,
    path: "/v1/worker/runs/{runId}/steps/{step}/attempts",
    action: "worker.work",
    summary: "Ask whether to run a step: answers its kept outcome, or go, or wait, or stop",
    params: ofStep,
    body: attemptRequest,
    answer: permissionSchema,
    statuses: { 200: "What to do" },
  },
  async ({ desk, params, body, request }) => ({
    status: 200,
    body: await ask(desk, claimOf(params, body, request), body),
  }),
);

export const recordStepOutcome = endpoint(
  {
    ...post,
    path: "/v1/worker/runs/{runId}/steps/{step}/outcome",
    action: "worker.work",
    summary:
      "Record the outcome of an attempt; the engine's retry policy decides what is next. Sent again, it answers the same",
    params: ofStep,
    body: outcomeRequest,
    maxBodyBytes: MAX_VALUE_BYTES,
    answer: standingSchema,
    statuses: { 200: "The state of the step" },
  },
  async ({ desk, params, body, request }) => ({
    status: 200,
    body: await outcomes.recordOutcome(desk, claimOf(params, body, request), body),
  }),
);

export const beginCompensations = endpoint(
  {
    ...post,
    path: "/v1/worker/runs/{runId}/undos",
    action: "worker.work",
    summary: "The next compensation of a run that is being compensated, in reverse order of completion",
    params: ofRun,
    body: undosRequest,
    answer: nextUndoSchema,
    statuses: { 200: "What to compensate now, or that the claim has ended" },
  },
  async ({ desk, params, body, request }) => ({
    status: 200,
    body: await compensating.nextCompensation(desk, claimOf(params, body, request)),
  }),
);

export const recordCompensationOutcome = endpoint(
  {
    ...post,
    path: "/v1/worker/runs/{runId}/undos/{step}/outcome",
    action: "worker.work",
    summary: "Record the outcome of a compensation. Sent again, it answers the same",
    params: ofStep,
    body: undoOutcomeRequest,
    answer: undoStandingSchema,
    statuses: { 200: "The state of the compensation" },
  },
  async ({ desk, params, body, request }) => ({
    status: 200,
    body: await compensating.recordCompensation(desk, claimOf(params, body, request), body),
  }),
);

export const handBackRun = endpoint(
  {
    ...post,
    path: "/v1/worker/runs/{runId}/handback",
    action: "worker.work",
    summary: "End the claim and let the run go on: when what it waits for is there, or at once",
    params: ofRun,
    body: handBackRequest,
    answer: claimEndResponse,
    statuses: { 200: "What the run is now" },
  },
  async ({ desk, params, body, request }) => {
    const { status } = await ending.handBack(desk, claimOf(params, body, request), body);
    return { status: 200, body: { status } };
  },
);

export const endRun = endpoint(
  {
    ...post,
    path: "/v1/worker/runs/{runId}/end",
    action: "worker.work",
    summary: "Record that the run's code has ended. Sent again, it answers the same",
    params: ofRun,
    body: runEndRequest,
    maxBodyBytes: MAX_VALUE_BYTES,
    answer: claimEndResponse,
    statuses: { 200: "What the run is now" },
  },
  async ({ desk, params, body, request }) => {
    const { status } = await ending.endRun(desk, claimOf(params, body, request), body);
    return { status: 200, body: { status } };
  },
);

/** The claim that a request is about, and the proof of holding it. */
const claimOf = <Params extends object>(params: Params, { epoch }: { epoch: number }, { headers }: Request) => ({
  ...params,
  epoch,
  secret: headers.get(CLAIM_HEADER),
});
