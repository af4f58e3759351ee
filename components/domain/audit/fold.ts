import type { AuditRow } from "@/lib/api/contract/run";

/** Consecutive rows of one plan are one entry: what somebody did once, to many runs. The others are by themselves. */
export function foldedByPlan(rows: readonly AuditRow[]): [AuditRow, ...AuditRow[]][] {
  const entries: [AuditRow, ...AuditRow[]][] = [];
  for (const row of rows) {
    const entry = entries.at(-1);
    if (entry && isOfSame(entry[0], row)) entry.push(row);
    else entries.push([row]);
  }
  return entries;
}

const isOfSame = (a: AuditRow, b: AuditRow) =>
  a.planId !== null && a.planId === b.planId && a.act === b.act && a.result === b.result && a.actor === b.actor;
