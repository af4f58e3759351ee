import { NOTHING, seesMasked } from "../../engine/permission";
import { exportAudit as exporting } from "../../operator/export-audit";
import { auditRowSchema } from "../contract/audit-row";
import { download } from "../download";
import * as endpoints from "../endpoints";
import { maskRecords } from "../mask-answer";
import { route } from "../route";

export const listAudit = route(endpoints.listAudit, async ({ query, reads }) => ({
  status: 200,
  body: await reads.audit(query),
}));

export const verifyAudit = route(endpoints.verifyAudit, async ({ reads }) => ({
  status: 200,
  body: await reads.auditChain(),
}));

export const exportAudit = route(endpoints.exportAudit, async ({ query: { format, ...filter }, server, asker }) => {
  const answered = { sees: seesMasked(asker ?? NOTHING) };
  return download(
    "audit",
    format,
    exporting(server.db, filter, format, maskRecords(server.db, auditRowSchema, answered)),
  );
});
