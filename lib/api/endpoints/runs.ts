import { MAX_STARTS } from "../../engine/run";
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
import { runDetailQuery, stepListQuery, stepListResponse, stepResponse } from "../contract/steps";
import { endpoint } from "../endpoint";
import { MAX_VALUE_BYTES, ofRun, ofStep } from "./params";

/** Ten thousand inputs together. */
const MAX_STARTS_BYTES = 16_777_216;
const MAX_STARTS_MARKS = 2_000_000;
const MAX_STARTS_KEYS = 30_000;

export const listRuns = endpoint({
  method: "GET",
  path: "/v1/runs",
  action: "run.read",
  summary: "List runs, newest first",
  query: runListQuery,
  answer: runListResponse,
  statuses: { 200: "A page of runs" },
});

export const startRun = endpoint({
  method: "POST",
  path: "/v1/runs",
  action: "run.start",
  summary: "Start a run",
  body: startRunRequest,
  maxBodyBytes: MAX_VALUE_BYTES,
  answer: runSchema,
  statuses: { 201: "The run that was started", 200: "The run that the same idempotencyKey and input had started" },
});

export const startRuns = endpoint({
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
  statuses: { 201: "The runs, in order; those whose idempotencyKey had started them before among them" },
});

export const countRuns = endpoint({
  method: "GET",
  path: "/v1/runs/counts",
  action: "run.read",
  summary:
    "Count runs by status and by attention, up to 10,000 each; each count ignores the filter on its own dimension",
  query: runFilter,
  answer: runCountsResponse,
  statuses: { 200: "The counts" },
});

export const runHistogram = endpoint({
  method: "GET",
  path: "/v1/runs/histogram",
  action: "run.read",
  summary:
    "When the runs that a filter finds were started, and how many of them failed: over its window, or the last day",
  query: runFilter,
  answer: runHistogramResponse,
  statuses: { 200: "The counts" },
});

export const getRun = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}",
  action: "run.read",
  summary: "One run whole; `steps` bounds how many of its steps are told",
  params: ofRun,
  query: runDetailQuery,
  answer: runSchema,
  statuses: { 200: "The run" },
});

export const listSteps = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/steps",
  action: "run.read",
  summary: "The steps of a run as they are drawn, by name and generation, without their outputs",
  params: ofRun,
  query: stepListQuery,
  answer: stepListResponse,
  statuses: { 200: "A page of steps" },
});

export const getStep = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/steps/{step}",
  action: "run.read",
  summary: "Every record of one step, whole",
  params: ofStep,
  answer: stepResponse,
  statuses: { 200: "The step, one record per generation in which it ran" },
});

export const listRunLog = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/logs",
  action: "run.read",
  summary: "What the run's code said, in order; `q` finds text in message, data and step",
  params: ofRun,
  query: runLogQuery,
  answer: runLogResponse,
  statuses: { 200: "A page of lines" },
});

export const listChildren = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/children",
  action: "run.read",
  summary: "List the runs that a run has started, newest first, each with how many are below it",
  params: ofRun,
  query: childListQuery,
  answer: childListResponse,
  statuses: { 200: "A page of runs" },
});

export const getResult = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/result",
  action: "run.read",
  summary: "Wait for the end of a run, up to 60 seconds",
  params: ofRun,
  query: resultQuery,
  answer: runSchema,
  statuses: { 200: "The run, which has ended", 202: "The run, which has not ended yet" },
});
