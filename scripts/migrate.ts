import path from "node:path";
import { readEnv } from "../lib/env";
import { startEmbeddedPostgres } from "./postgres/embedded";
import { migrate } from "./postgres/migrate";
import { migrateDemo } from "./postgres/migrate-demo";
import { printError } from "./start-error";

/** `npm run migrate`: brings the database up to date, and does nothing else. */
async function main(): Promise<void> {
  const env = readEnv();
  if (env.directUrl) return report(env.directUrl, env.demo);
  const server = await startEmbeddedPostgres({ dir: path.join(env.dataDir, "postgres") });
  await report(server.url(), env.demo).finally(server.stop);
}

async function report(directUrl: string, demo: boolean): Promise<void> {
  const { applied } = await migrate(directUrl, { say: console.log });
  if (demo) applied.push(...(await migrateDemo(directUrl)).applied);
  console.log(applied.length ? `Applied ${applied.join(", ")}.` : "The database is up to date.");
}

main().catch((error) => {
  printError(error);
  process.exitCode = 1;
});
