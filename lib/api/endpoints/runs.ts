import type { Asker } from "../../access/asker";
import { ownerOf } from "../../access/asker";
import { seesMasked } from "../../engine/access/permission";
import { HandrailError } from "../../engine/errors";
import { MAX_STARTS } from "../../engine/runs/run";
import * as starting from "../../operator/actions/start-run";
import { starterOf } from "../../operator/actions/starter";
import { readChildren } from "../../operator/runs/read-children";
import { readRunLog } from "../../operator/runs/read-log";
import { readNormal } from "../../operator/runs/read-normal";
import { readPublished } from "../../operator/runs/read-published";
import { readStep, readSteps } from "../../operator/runs/read-steps";
import { readValue } from "../../operator/runs/read-value";
import { readRun, readRunCounts, readRuns } from "../../operator/runs/reads";
import { readRunHistogram } from "../../operator/runs/run-histogram";
import { narrowed, sighted, withOwnActs } from "../access/narrow";
import { COUNT_CAP } from "../contract/caps";
import { childListResponse } from "../contract/family";
import { runLogQuery, runLogResponse } from "../contract/log";
import {
  childListQuery,
  resultQuery,
  runFilter,
  runListQuery,
  startRunRequest,
  startRunsRequest,
} from "../contract/requests";
import { runCountsResponse, runHistogramResponse, runListResponse, startRunsResponse } from "../contract/responses";
import { runSchema } from "../contract/run";
import {
  publishedResponse,
  runDetailQuery,
  runNormalResponse,
  stepListQuery,
  stepListResponse,
  stepResponse,
  valueQuery,
  valueResponse,
} from "../contract/steps";
import { endpoint } from "../endpoint";
import { MAX_VALUE_BYTES, ofPublished, ofRun, ofStep } from "./params";

/** Ten thousand inputs together. */
const MAX_STARTS_BYTES = 16_777_216;
const MAX_STARTS_MARKS = 2_000_000;
const MAX_STARTS_KEYS = 30_000;
/** One input, which is kept in the blob store. */
const LARGE_START = {
  ...{ maxBodyBytes: MAX_STARTS_BYTES, maxTextLength: MAX_STARTS_BYTES },
  ...{ maxBodyMarks: MAX_STARTS_MARKS, maxBodyKeys: MAX_STARTS_KEYS },
};

export const listRuns = endpoint(
  {
    method: "GET",
    path: "/v1/runs",
    action: "run.read",
    summary: "List runs, newest first",
    query: runListQuery,
    answer: runListResponse,
    statuses: { 200: "A page of runs" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readRuns(server.db, narrowed(permissions, query)),
  }),
);

export const startRun = endpoint(
  {
    method: "POST",
    path: "/v1/runs",
    action: "run.start",
    summary: "Start a run",
    body: startRunRequest,
    maxBodyBytes: MAX_VALUE_BYTES,
    withBlobs: LARGE_START,
    answer: runSchema,
    narrow: withOwnActs,
    refusals: [429],
    statuses: { 201: "The run that was started", 200: "The run that the same idempotencyKey and input had started" },
  },
  async ({ desk, body, server, asker }) =>
    starting.startRun(desk, server.code, body, { starter: asStarter(asker), blobs: server.blobs }),
);

export const startRuns = endpoint(
  {
    method: "POST",
    path: "/v1/runs/batch",
    action: "run.start",
    summary: "Start up to 10,000 runs of a workflow in one transaction",
    body: startRunsRequest,
    maxBodyBytes: MAX_STARTS_BYTES,
    maxBodyMarks: MAX_STARTS_MARKS,
    maxBodyKeys: MAX_STARTS_KEYS,
    longList: { field: "runs", max: MAX_STARTS },
    answer: startRunsResponse,
    refusals: [429],
    statuses: { 201: "The runs, in order; those whose idempotencyKey had started them before among them" },
  },
  async ({ desk, body, server, asker }) => starting.startRuns(desk, server.code, body, asStarter(asker)),
);

export const countRuns = endpoint(
  {
    method: "GET",
    path: "/v1/runs/counts",
    action: "run.read",
    summary:
      "Count runs by status and by attention, up to 10,000 each; each count ignores the filter on its own dimension",
    query: runFilter,
    answer: runCountsResponse,
    statuses: { 200: "The counts" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readRunCounts(server.db, narrowed(permissions, query), COUNT_CAP),
  }),
);

export const getRunHistogram = endpoint(
  {
    method: "GET",
    path: "/v1/runs/histogram",
    action: "run.read",
    summary:
      "When the runs that a filter finds were started, and how many of them failed: over its window, or the last day",
    query: runFilter,
    answer: runHistogramResponse,
    statuses: { 200: "The counts" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readRunHistogram(server.db, narrowed(permissions, query)),
  }),
);

export const getRun = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}",
    action: "run.read",
    summary: "A run in full; `steps` bounds how many of its steps are included",
    params: ofRun,
    query: runDetailQuery,
    answer: runSchema,
    narrow: withOwnActs,
    statuses: { 200: "The run" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await readRun(server.db, params.runId, query),
  }),
);

export const listSteps = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/steps",
    action: "run.read",
    summary: "The steps of a run as they are drawn, by name and generation, without their outputs",
    params: ofRun,
    query: stepListQuery,
    answer: stepListResponse,
    statuses: { 200: "A page of steps" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await readSteps(server.db, params.runId, query),
  }),
);

export const getStep = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/steps/{step}",
    action: "run.read",
    summary: "Every record of one step, in full",
    params: ofStep,
    answer: stepResponse,
    statuses: { 200: "The step, one record per generation in which it ran" },
  },
  async ({ params, server }) => ({
    status: 200,
    body: await readStep(server.db, params.runId, params.step),
  }),
);

export const getRunNormal = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/normal",
    action: "run.read",
    summary: "What is normal for each step of a run (median, 95th percentile), and a good run to put beside it",
    params: ofRun,
    answer: runNormalResponse,
    statuses: { 200: "Durations by step, and the newest run of its version that completed without a repair" },
  },
  async ({ params, server }) => ({
    status: 200,
    body: await readNormal(server.db, params.runId),
  }),
);

export const listRunLog = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/logs",
    action: "run.read",
    summary: "The run's log, in order; `q` finds text in message, data and step",
    params: ofRun,
    query: runLogQuery,
    answer: runLogResponse,
    statuses: { 200: "A page of lines" },
  },
  async ({ params, query, server, permissions }) => ({
    status: 200,
    body: await readRunLog(server.db, params.runId, sighted(permissions, query)),
  }),
);

export const listChildren = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/children",
    action: "run.read",
    summary: "List the runs that a run has started, newest first, each with how many are below it",
    params: ofRun,
    query: childListQuery,
    answer: childListResponse,
    statuses: { 200: "A page of runs" },
  },
  async ({ params, query, server, permissions }) => ({
    status: 200,
    body: await readChildren(server.db, params.runId, narrowed(permissions, { ...query, workflow: [] })),
  }),
);

export const getResult = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/result",
    action: "run.read",
    standby: false,
    summary: "Wait for the end of a run, up to 60 seconds",
    params: ofRun,
    query: resultQuery,
    answer: runSchema,
    narrow: withOwnActs,
    statuses: { 200: "The run, which has ended", 202: "The run, which has not ended yet" },
  },
  async ({ params, query, asker, server, request }) => {
    const waiting = { waitMs: query.waitMs, signal: request.signal, by: asker?.accountable ?? null };
    const ended = await server.ends.untilEnd(params.runId, waiting);
    return { status: ended ? 200 : 202, body: await readRun(server.db, params.runId) };
  },
);

export const getPublished = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/published/{name}",
    action: "run.read",
    standby: false,
    summary: "Wait for what a run publishes under a name, up to 60 seconds",
    params: ofPublished,
    query: resultQuery,
    answer: publishedResponse,
    statuses: { 200: "The value", 202: "Nothing is published under the name yet" },
  },
  async ({ params: { runId, name }, query, asker, server, request }) => {
    const waiting = { waitMs: query.waitMs, signal: request.signal, by: asker?.accountable ?? null };
    await server.ends.untilPublished(runId, name, waiting);
    const body = await readPublished(server.db, runId, name);
    return { status: body.published ? 200 : 202, body };
  },
);

export const getValue = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/value",
    action: "run.read",
    summary: "Load a value of a run from the blob store",
    params: ofRun,
    query: valueQuery,
    answer: valueResponse,
    statuses: { 200: "The value" },
  },
  async ({ params: { runId }, query, server }) => ({
    status: 200,
    body: await readValue(server.db, server.blobs, runId, query),
  }),
);

function asStarter(asker: Asker | null) {
  if (asker === null) throw new HandrailError("unauthenticated", "Sign in first.");
  return starterOf({ owner: ownerOf(asker), sees: seesMasked(asker) });
}
