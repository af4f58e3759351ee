import type { Db } from "../store/db";
import { type AuditFilter, type AuditRow, listAudit } from "../store/reads/audit";

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

/** A batch of rows at a time, newest first, as text; whatever is written meanwhile is not among them. */
export async function* exportAudit(db: Db, filter: AuditFilter, format: "ndjson" | "csv"): AsyncGenerator<string> {
  const lineOf = format === "csv" ? csvLine : ndjsonLine;
  if (format === "csv") yield `${COLUMNS.join(",")}\r\n`;
  for (let before: number | null = null; ; ) {
    const rows: AuditRow[] = await listAudit(db, filter, { before, limit: BATCH });
    if (rows.length > 0) yield rows.map(lineOf).join("");
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    before = last.id;
  }
}

const ndjsonLine = (row: AuditRow) => `${JSON.stringify(row)}\n`;

const csvLine = (row: AuditRow) => `${COLUMNS.map((column) => csvCell(row[column])).join(",")}\r\n`;

/** A spreadsheet takes what begins like this for a formula, and runs it. */
const FORMULA = /^[=+\-@\t\r]/;

/** Quoted where RFC 4180 asks for it, and with an apostrophe before what would be a formula. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
