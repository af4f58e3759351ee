import { exportEffects as exporting, exportRunEffects as exportingRun } from "../../operator/export-effects";
import { download } from "../download";
import * as endpoints from "../endpoints";
import { route } from "../route";

export const listRunEffects = route(endpoints.listRunEffects, async ({ params, query, server }) => ({
  status: 200,
  body: await server.reads.runEffects(params.runId, query),
}));

export const exportRunEffects = route(
  endpoints.exportRunEffects,
  async ({ params: { runId }, query: { format, ...filter }, server }) =>
    download(`effects-${runId}`, format, await exportingRun(server.db, runId, filter, format)),
);

export const listEffects = route(endpoints.listEffects, async ({ query, server }) => ({
  status: 200,
  body: await server.reads.effects(query),
}));

export const exportEffects = route(endpoints.exportEffects, async ({ query: { format, ...filter }, server }) =>
  download("effects", format, exporting(server.db, filter, format)),
);
