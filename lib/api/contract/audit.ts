import { z } from "zod";
import { AUDIT_RESULTS } from "../../engine/audit/audit";
import { auditRowSchema } from "./audit-row";
import { list, page, plainText } from "./requests";
import { givenId, instant } from "./values";

const name = plainText.min(1).max(200).optional();

/** Of rows that match every filter. */
const filter = {
  actor: name,
  act: name,
  runId: givenId.optional(),
  workflow: name,
  schedule: name,
  result: list(z.enum(AUDIT_RESULTS)).optional(),
  /** Included. */
  since: instant.optional(),
  /** Not included. */
  until: instant.optional(),
};

export const auditQuery = z.strictObject({ ...filter, ...page });

export const AUDIT_FORMATS = ["ndjson", "csv"] as const;

export const auditExportQuery = z.strictObject({ ...filter, format: z.enum(AUDIT_FORMATS).default("ndjson") });

export const auditListResponse = z
  .object({ rows: z.array(auditRowSchema), nextCursor: z.string().nullable(), updatedAt: instant })
  .meta({ id: "AuditListResponse" });

/** Only the newest rows are checked: `npm run audit -- verify` checks all of them. */
export const auditChainResponse = z
  .object({
    /** The last row of the chain; 0 when it is empty. */
    seq: z.int(),
    /** How many of the newest rows are valid. */
    rows: z.int(),
    /** The first error among them; null when all are valid. */
    fault: z.object({ seq: z.int().nullable(), says: z.string() }).nullable(),
    updatedAt: instant,
  })
  .meta({ id: "AuditChain" });

export type AuditFilter = Omit<z.infer<typeof auditQuery>, "cursor" | "limit">;
export type AuditListResponse = z.infer<typeof auditListResponse>;
export type AuditChain = z.infer<typeof auditChainResponse>;
