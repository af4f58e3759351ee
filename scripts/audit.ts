/**
 * `npm run audit -- verify [--heads FILE]` and `npm run audit -- head`: whether the audit log is unchanged. Read-only.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { z } from "zod";
import { loadAuditKeys } from "../lib/audit-keys";
import type { SignedHead } from "../lib/engine/audit/audit-chain";
import type { AuditKeys } from "../lib/engine/audit/audit-keys";
import { readEnv } from "../lib/env";
import { exportHead, type Verdict, verifyAudit } from "../lib/operator/audit/verify-audit";
import { type Db, poolDb } from "../lib/store/db";
import { setSchema } from "../lib/store/schema";
import { explainMissingTables } from "./not-migrated";
import { startEmbeddedPostgres } from "./postgres/embedded";
import { printError, StartError } from "./start-error";

const USAGE = `npm run audit -- verify [--heads FILE]   walks the chain; with FILE, heads exported before have to be on it
npm run audit -- head                    prints the signed end of the chain, one line of JSON: keep it elsewhere`;

const signedHead = z.object({
  seq: z.int().nonnegative(),
  hash: z.string(),
  at: z.string(),
  keyId: z.string(),
  signature: z.string(),
});

async function main(): Promise<void> {
  const { command, heads } = order();
  const env = readEnv();
  setSchema(env.schema);
  const keys = loadAuditKeys(env);
  const work = (db: Db) => (command === "head" ? head(db, keys) : verify(db, keys, heads));
  if (env.databaseUrl) return withDatabase(env.databaseUrl, work);
  const server = await startEmbeddedPostgres({ dir: path.join(env.dataDir, "postgres") });
  await withDatabase(server.url(), work).finally(server.stop);
}

function order(): { command: "verify" | "head"; heads: SignedHead[] } {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { heads: { type: "string" } } });
  const [command, ...rest] = positionals;
  if ((command !== "verify" && command !== "head") || rest.length > 0) throw new StartError(USAGE);
  return { command, heads: values.heads === undefined ? [] : readHeads(values.heads) };
}

/** A head a line, as `head` prints them. */
function readHeads(file: string): SignedHead[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new StartError(`${file} holds no head.`);
  return lines.map((line, index) => {
    try {
      return signedHead.parse(JSON.parse(line));
    } catch {
      throw new StartError(`Line ${index + 1} of ${file} is no head as \`npm run audit -- head\` prints it.`);
    }
  });
}

async function withDatabase(connectionString: string, work: (db: Db) => Promise<void>): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1, application_name: "handrail audit" });
  await work(poolDb(pool))
    .catch(explainMissingTables)
    .finally(() => pool.end());
}

async function head(db: Db, keys: AuditKeys): Promise<void> {
  console.log(JSON.stringify(await exportHead(db, keys)));
}

async function verify(db: Db, keys: AuditKeys, heads: readonly SignedHead[]): Promise<void> {
  const verdict = await verifyAudit(db, keys, heads);
  console.log(asText(verdict, heads.length));
  process.exitCode = verdict.fault ? 1 : 0;
}

function asText({ rows, earlier, fault }: Verdict, heads: number): string {
  if (fault) return `!! at ${fault.seq ?? "no row"}: ${fault.says}\n   ${rows} rows before it hold.`;
  const also = [heads > 0 && `${heads} exported heads are on it`, earlier > 0 && `${earlier} rows are from before it`];
  return [`ok The chain holds: ${rows} rows`, ...also.filter(Boolean)].join("; ");
}

main().catch((error) => {
  printError(error);
  process.exitCode = 2;
});
