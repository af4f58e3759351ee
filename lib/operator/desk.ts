import type { Caller } from "../engine/audit/audit";
import type { AuditKeys } from "../engine/audit/audit-keys";
import type { TraceText } from "../engine/traces/trace-context";
import type { Notifier } from "../store/database/notifier";
import type { Db } from "../store/db";
import type { RequestKey } from "../store/operations/request";

/** Who acts, and through which client. */
export interface Desk {
  db: Db;
  notifier: Notifier;
  by: Caller;
  /** Under which what the caller watches is stored (`ownerOf`); null for Handrail itself. */
  owner?: string | null;
  auditKeys: AuditKeys;
  /** The mutation's Idempotency-Key, where it has one. */
  request: RequestKey | null;
  /** The trace that the request belongs to, by its headers. */
  trace?: TraceText | null;
  /** The plan that is executed, if any. */
  planId?: string | undefined;
}
