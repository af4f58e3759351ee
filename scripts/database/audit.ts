import { readFileSync } from "node:fs";
import { z } from "zod";
import { loadAuditKeys } from "../../lib/audit-keys";
import type { SignedHead } from "../../lib/engine/audit/audit-chain";
import { exportHead, type Verdict, verifyAudit } from "../../lib/operator/audit/verify-audit";
import { StartError } from "../start-error";
import type { Home } from "./home";
import { withDatabase } from "./with-database";

const signedHead = z.object({
  seq: z.int().nonnegative(),
  hash: z.string(),
  at: z.string(),
  keyId: z.string(),
  signature: z.string(),
});

/** The signed end of the audit log's chain. */
export const auditHead = (home: Home): Promise<SignedHead> =>
  withDatabase(home, "audit", (db) => exportHead(db, loadAuditKeys(home.env)));

/** Whether the audit log is unchanged, and these heads are on its chain. Read-only. */
export const checkAudit = (home: Home, heads: readonly SignedHead[]): Promise<Verdict> =>
  withDatabase(home, "audit", (db) => verifyAudit(db, loadAuditKeys(home.env), heads));

/** A head a line, as `head` prints them. @throws StartError for a file that cannot be read, or has anything else */
export function readHeads(file: string): SignedHead[] {
  const lines = textOf(file)
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new StartError(`${file} holds no head.`);
  return lines.map((line, index) => {
    try {
      return signedHead.parse(JSON.parse(line));
    } catch {
      throw new StartError(`Line ${index + 1} of ${file} is no head as \`audit head\` prints it.`);
    }
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

export function verdictText({ rows, earlier, fault }: Verdict, heads: number): string {
  if (fault) return `!! at ${fault.seq ?? "no row"}: ${fault.says}\n   ${rows} rows before it hold.`;
  const also = [heads > 0 && `${heads} exported heads are on it`, earlier > 0 && `${earlier} rows are from before it`];
  return [`ok The chain holds: ${rows} rows`, ...also.filter(Boolean)].join("; ");
}
