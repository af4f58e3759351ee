import { NOTHING, type Permissions, seesMasked } from "../../engine/permission";
import type { EffectView } from "../../operator/effect-view";
import { exportEffects as exporting, exportRunEffects as exportingRun } from "../../operator/export-effects";
import type { Server } from "../../server";
import { effectRecordSchema } from "../contract/effects";
import { download } from "../download";
import * as endpoints from "../endpoints";
import { maskRecords } from "../mask-answer";
import { narrowed } from "../permitted-reads";
import { route } from "../route";

const masking = (db: Server["db"], asker: Permissions | null) =>
  maskRecords<EffectView>(db, effectRecordSchema, { sees: seesMasked(asker ?? NOTHING) });

export const listRunEffects = route(endpoints.listRunEffects, async ({ params, query, reads }) => ({
  status: 200,
  body: await reads.runEffects(params.runId, query),
}));

export const exportRunEffects = route(
  endpoints.exportRunEffects,
  async ({ params: { runId }, query: { format, ...filter }, reads, server, asker }) => {
    await reads.runEffects(runId, { limit: 1 });
    return download(
      `effects-${runId}`,
      format,
      await exportingRun(server.db, runId, filter, format, masking(server.db, asker)),
    );
  },
);

export const listEffects = route(endpoints.listEffects, async ({ query, reads }) => ({
  status: 200,
  body: await reads.effects(query),
}));

export const exportEffects = route(endpoints.exportEffects, async ({ query: { format, ...filter }, asker, server }) =>
  download(
    "effects",
    format,
    exporting(server.db, narrowed(asker ?? NOTHING, filter), format, masking(server.db, asker)),
  ),
);
