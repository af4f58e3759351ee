import { auditChainResponse, auditExportQuery, auditListResponse, auditQuery } from "../contract/audit";
import { auditRowSchema } from "../contract/audit-row";
import { endpoint } from "../endpoint";

export const listAudit = endpoint({
  method: "GET",
  path: "/v1/audit",
  action: "audit.read",
  summary: "Who did what, and what was refused, newest first",
  query: auditQuery,
  answer: auditListResponse,
  statuses: { 200: "A page of the audit" },
});

export const verifyAudit = endpoint({
  method: "GET",
  path: "/v1/audit/chain",
  action: "audit.read",
  summary: "Whether the newest rows of the audit are what was written",
  answer: auditChainResponse,
  statuses: { 200: "The end of the chain, and what is wrong with its newest rows, if anything" },
});

export const exportAudit = endpoint({
  method: "GET",
  path: "/v1/audit/export",
  action: "audit.read",
  summary:
    "Every row of the audit that meets the filters, newest first, a row a line; `format=csv` gives a table instead",
  query: auditExportQuery,
  answer: auditRowSchema,
  statuses: { 200: "Rows, each on a line of its own" },
  contentType: "application/x-ndjson",
});
