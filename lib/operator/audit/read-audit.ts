import type { Db } from "../../store/db";
import { type AuditFilter, listAudit } from "../../store/reads/audit";
import { decodeCursor, encodeCursor } from "../cursor";
import type { Page } from "../runs/reads";
import { auditView } from "./audit-view";

const DEFAULT_PAGE_SIZE = 50;

/** Newest first. */
export async function readAudit(db: Db, { cursor, limit = DEFAULT_PAGE_SIZE, ...filter }: AuditFilter & Page) {
  const before = cursor === undefined ? null : decodeCursor<[number]>(cursor, ([id]) => Number.isSafeInteger(id))[0];
  const rows = await listAudit(db, filter, { before, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map(auditView),
    nextCursor: last ? encodeCursor([last.id]) : null,
    updatedAt: new Date().toISOString(),
  };
}
