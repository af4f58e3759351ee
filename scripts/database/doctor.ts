import { examine, type Finding } from "../../lib/store/database/doctor";
import type { Home } from "./home";
import { withDatabase } from "./with-database";

/** Every promise that can be checked in the database, checked. Read-only; safe at any time. */
export const examineDatabase = (home: Home): Promise<Finding[]> => withDatabase(home, "doctor", (db) => examine(db));

const isBad = ({ hits, unanswered }: Finding) => hits.length > 0 || unanswered !== undefined;

export const allHold = (findings: readonly Finding[]): boolean => !findings.some(isBad);

export function findingsText(findings: readonly Finding[]): string {
  const bad = findings.filter(isBad).length;
  const verdict = bad === 0 ? `All ${findings.length} rules hold.` : `${bad} of ${findings.length} need a look.`;
  return [...findings.map(findingText), "", verdict].join("\n");
}

function findingText({ rule, hits, more, unanswered }: Finding): string {
  const line = `${rule.promise.padEnd(4)}${rule.name}`;
  if (unanswered !== undefined) return `?  ${line}: ${unanswered}. Ask again when the database is less busy.`;
  if (hits.length === 0) return `ok ${line}`;
  const rows = hits.map((hit) => `          ${JSON.stringify(hit)}`);
  return [`!! ${line}`, `       ${rule.meaning}`, ...rows, ...(more ? ["          … and more"] : [])].join("\n");
}
