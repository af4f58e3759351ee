import { seesMasked } from "../../engine/access/permission";
import { exportAudit as exporting } from "../../operator/audit/export-audit";
import { readAudit } from "../../operator/audit/read-audit";
import { verifyNewest } from "../../operator/audit/verify-audit";
import { auditChainResponse, auditExportQuery, auditListResponse, auditQuery } from "../contract/audit";
import { auditRowSchema } from "../contract/audit-row";
import { endpoint } from "../endpoint";
import { download } from "../http/download";
import { maskRecords } from "../masking/mask-answer";

export const listAuditLog = endpoint(
  {
    method: "GET",
    path: "/v1/audit",
    action: "audit.read",
    summary: "Who did what, and what was refused, newest first",
    query: auditQuery,
    answer: auditListResponse,
    statuses: { 200: "A page of the audit" },
  },
  async ({ query, server }) => ({
    status: 200,
    body: await readAudit(server.db, query),
  }),
);

export const verifyAuditLog = endpoint(
  {
    method: "GET",
    path: "/v1/audit/chain",
    action: "audit.read",
    standby: false,
    summary: "Whether the newest rows of the audit are what was written",
    answer: auditChainResponse,
    statuses: { 200: "The end of the chain, and what is wrong with its newest rows, if anything" },
  },
  async ({ server }) => ({
    status: 200,
    body: { ...(await verifyNewest(server.db, server.auditKeys)), updatedAt: new Date().toISOString() },
  }),
);

export const exportAuditLog = endpoint(
  {
    method: "GET",
    path: "/v1/audit/export",
    action: "audit.read",
    summary:
      "Every row of the audit that meets the filters, newest first, a row a line; `format=csv` gives a table instead",
    query: auditExportQuery,
    answer: auditRowSchema,
    statuses: { 200: "One row a line" },
    contentType: "application/x-ndjson",
  },
  async ({ query: { format, ...filter }, server, permissions }) => {
    const answered = { sees: seesMasked(permissions) };
    return download(
      "audit",
      format,
      exporting(server.db, filter, format, maskRecords(server.db, auditRowSchema, answered)),
    );
  },
);
