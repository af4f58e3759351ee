import path from "node:path";
import { readEnv } from "../lib/env";
import { migrate } from "../lib/store/migrations/migrate";
import { migrationScript } from "../lib/store/migrations/script";
import { setSchema } from "../lib/store/schema";
import { startEmbeddedPostgres } from "./postgres/embedded";
import { migrateDemo } from "./postgres/migrate-demo";
import { printError, StartError } from "./start-error";

/**
 * `npm run migrate`: brings the database up to date, and does nothing else. With `-- --sql` it prints what it would
 * apply, for others to apply it, and changes nothing.
 */
async function main(): Promise<void> {
  const [option, ...more] = process.argv.slice(2);
  if (more.length > 0 || (option !== undefined && option !== "--sql"))
    throw new StartError("`npm run migrate` takes no argument but `-- --sql`.");
  const env = readEnv();
  setSchema(env.schema);
  if (option) return void process.stdout.write(await migrationScript(env.directUrl));
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
