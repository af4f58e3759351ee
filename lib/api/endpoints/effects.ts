import {
  effectExportQuery,
  effectListQuery,
  effectListResponse,
  effectRecordSchema,
  runEffectsExportQuery,
  runEffectsQuery,
  runEffectsResponse,
} from "../contract/effects";
import { endpoint } from "../endpoint";
import { ofRun } from "./params";

export const listRunEffects = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/effects",
  action: "run.read",
  summary: "What each step of the run did to the world, and how often, in the order of the steps",
  params: ofRun,
  query: runEffectsQuery,
  answer: runEffectsResponse,
  statuses: { 200: "A page of the run's ledger" },
});

export const exportRunEffects = endpoint({
  method: "GET",
  path: "/v1/runs/{runId}/effects/export",
  action: "run.read",
  summary: "The run's whole ledger, an effect a line; `format=csv` gives a table instead",
  params: ofRun,
  query: runEffectsExportQuery,
  answer: effectRecordSchema,
  statuses: { 200: "Effects, each on a line of its own" },
  contentType: "application/x-ndjson",
});

export const listEffects = endpoint({
  method: "GET",
  path: "/v1/effects",
  action: "run.read",
  summary: "What the steps of many runs did to the world, newest run first",
  query: effectListQuery,
  answer: effectListResponse,
  statuses: { 200: "A page of the ledger" },
});

export const exportEffects = endpoint({
  method: "GET",
  path: "/v1/effects/export",
  action: "run.read",
  summary:
    "Every effect that meets the filters, newest run first, an effect a line; `format=csv` gives a table instead",
  query: effectExportQuery,
  answer: effectRecordSchema,
  statuses: { 200: "Effects, each on a line of its own" },
  contentType: "application/x-ndjson",
});
