import { examine, type Finding } from "../../lib/store/database/doctor";
import { examineStandby } from "../../lib/store/standby/examine-standby";
import type { Home } from "./home";
import { withDatabase } from "./with-database";

/** What is printed of a rule. */
type Found = Finding<{ promise: string; name: string; meaning: string }>;

/** Every promise that can be checked in the database, and the standby that consoles read from. Read-only; safe at any time. */
export const examineDatabase = (home: Home): Promise<Found[]> =>
  withDatabase(home, "doctor", async (db) => {
    const findings: Found[] = await examine(db);
    return home.standby === null ? findings : [...findings, await examineStandby(home.standby, db)];
  });

const isBad = ({ hits, unanswered }: Found) => hits.length > 0 || unanswered !== undefined;

export const allHold = (findings: readonly Found[]): boolean => !findings.some(isBad);

export function findingsText(findings: readonly Found[]): string {
  const bad = findings.filter(isBad).length;
  const verdict = bad === 0 ? `All ${findings.length} rules hold.` : `${bad} of ${findings.length} need a look.`;
  return [...findings.map(findingText), "", verdict].join("\n");
}

function findingText({ rule, hits, more, unanswered }: Found): string {
  const line = `${rule.promise.padEnd(4)}${rule.name}`;
  if (unanswered !== undefined) return `?  ${line}: ${unanswered}. Ask again when the database is less busy.`;
  if (hits.length === 0) return `ok ${line}`;
  const rows = hits.map((hit) => `          ${JSON.stringify(hit)}`);
  return [`!! ${line}`, `       ${rule.meaning}`, ...rows, ...(more ? ["          … and more"] : [])].join("\n");
}
