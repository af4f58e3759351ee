/** `npm run doctor`: checks in the database every promise that can be checked there. Read-only; safe at any time. */
import path from "node:path";
import pg from "pg";
import { readEnv } from "../lib/env";
import { examine, type Finding } from "../lib/store/database/doctor";
import { poolDb } from "../lib/store/db";
import { setSchema } from "../lib/store/schema";
import { explainMissingTables } from "./not-migrated";
import { startEmbeddedPostgres } from "./postgres/embedded";
import { printError } from "./start-error";

async function main(): Promise<void> {
  const env = readEnv();
  setSchema(env.schema);
  if (env.databaseUrl) return report(env.databaseUrl);
  const server = await startEmbeddedPostgres({ dir: path.join(env.dataDir, "postgres") });
  await report(server.url()).finally(server.stop);
}

async function report(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1, application_name: "handrail doctor" });
  try {
    const findings = await examine(poolDb(pool)).catch(explainMissingTables);
    for (const finding of findings) console.log(asText(finding));
    const bad = findings.filter(({ hits, unanswered }) => hits.length > 0 || unanswered !== undefined);
    console.log(
      bad.length === 0 ? `\nAll ${findings.length} rules hold.` : `\n${bad.length} of ${findings.length} need a look.`,
    );
    process.exitCode = bad.length === 0 ? 0 : 1;
  } finally {
    await pool.end();
  }
}

function asText({ rule, hits, more, unanswered }: Finding): string {
  const line = `${rule.promise.padEnd(4)}${rule.name}`;
  if (unanswered !== undefined) return `?  ${line}: ${unanswered}. Ask again when the database is less busy.`;
  if (hits.length === 0) return `ok ${line}`;
  const rows = hits.map((hit) => `          ${JSON.stringify(hit)}`);
  return [`!! ${line}`, `       ${rule.meaning}`, ...rows, ...(more ? ["          … and more"] : [])].join("\n");
}

main().catch((error) => {
  printError(error);
  process.exitCode = 1;
});
