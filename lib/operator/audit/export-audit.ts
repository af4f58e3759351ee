import { csvLine } from "../../engine/values/csv";
import type { Db } from "../../store/db";
import { type AuditFilter, type AuditRow, listAudit } from "../../store/reads/audit";
import { type ExportFormat, type Masking, ndjsonLine } from "../export-formats";

/** Rows in memory at once. */
const BATCH = 500;

const COLUMNS = [
  ...([
    "seq",
    "at",
    "actor",
    "actorKind",
    "act",
    "result",
    "code",
    "runId",
    "step",
    "schedule",
    "workflow",
    "reason",
  ] as const),
  ...(["before", "after", "credentialId", "address", "userAgent", "requestId", "requestKey", "planId"] as const),
  ...(["keyId", "prevHash", "hash"] as const),
] satisfies (keyof AuditRow)[];

/** One batch of rows at a time, newest first, as text; rows written meanwhile are not included. */
export async function* exportAudit(
  db: Db,
  filter: AuditFilter,
  format: ExportFormat,
  mask: Masking<AuditRow>,
): AsyncGenerator<string> {
  const lineOf = format === "csv" ? (row: AuditRow) => csvLine(COLUMNS.map((column) => row[column])) : ndjsonLine;
  if (format === "csv") yield csvLine(COLUMNS);
  for (let before: number | null = null; ; ) {
    // What a run is called is no part of what was hashed.
    const rows: AuditRow[] = (await listAudit(db, filter, { before, limit: BATCH })).map(({ named: _, ...row }) => row);
    if (rows.length > 0) yield (await mask(rows)).map(lineOf).join("");
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    before = last.id;
  }
}
