import type { Permissions } from "../../engine/access/permission";
import { seesMasked } from "../../engine/access/permission";
import type { EffectView } from "../../operator/effects/effect-view";
import { exportEffects as exporting, exportRunEffects as exportingRun } from "../../operator/effects/export-effects";
import { readEffects, readRunEffects } from "../../operator/effects/read-effects";
import type { Server } from "../../server";
import { narrowed } from "../access/narrow";
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
import { download } from "../http/download";
import { maskRecords } from "../masking/mask-answer";
import { ofRun } from "./params";

export const listRunEffects = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/effects",
    action: "run.read",
    summary: "The effects of each step of the run, and how often each happened, in the order of the steps",
    params: ofRun,
    query: runEffectsQuery,
    answer: runEffectsResponse,
    statuses: { 200: "A page of the run's ledger" },
  },
  async ({ params, query, server }) => ({
    status: 200,
    body: await readRunEffects(server.db, params.runId, query),
  }),
);

export const exportRunEffects = endpoint(
  {
    method: "GET",
    path: "/v1/runs/{runId}/effects/export",
    action: "run.read",
    summary: "The run's whole ledger, an effect a line; `format=csv` gives a table instead",
    params: ofRun,
    query: runEffectsExportQuery,
    answer: effectRecordSchema,
    statuses: { 200: "One effect a line" },
    contentType: "application/x-ndjson",
  },
  async ({ params: { runId }, query: { format, ...filter }, server, permissions }) => {
    await readRunEffects(server.db, runId, { limit: 1 });
    return download(
      `effects-${runId}`,
      format,
      await exportingRun(server.db, runId, filter, format, masking(server.db, permissions)),
    );
  },
);

export const listEffects = endpoint(
  {
    method: "GET",
    path: "/v1/effects",
    action: "run.read",
    summary: "The effects of many runs, newest run first",
    query: effectListQuery,
    answer: effectListResponse,
    statuses: { 200: "A page of the ledger" },
  },
  async ({ query, server, permissions }) => ({
    status: 200,
    body: await readEffects(server.db, narrowed(permissions, query)),
  }),
);

export const exportEffects = endpoint(
  {
    method: "GET",
    path: "/v1/effects/export",
    action: "run.read",
    summary:
      "Every effect that meets the filters, newest run first, an effect a line; `format=csv` gives a table instead",
    query: effectExportQuery,
    answer: effectRecordSchema,
    statuses: { 200: "One effect a line" },
    contentType: "application/x-ndjson",
  },
  async ({ query: { format, ...filter }, permissions, server }) =>
    download(
      "effects",
      format,
      exporting(server.db, narrowed(permissions, filter), format, masking(server.db, permissions)),
    ),
);

const masking = (db: Server["db"], asker: Permissions) =>
  maskRecords<EffectView>(db, effectRecordSchema, { sees: seesMasked(asker) });
