import path from "node:path";
import { readEnv } from "../../lib/env";
import { migrate } from "../../lib/store/migrations/migrate";
import { migrationScript } from "../../lib/store/migrations/script";
import { setSchema } from "../../lib/store/schema";
import { startEmbeddedPostgres } from "../postgres/embedded";
import { migrateDemo } from "../postgres/migrate-demo";

/** What would be applied to the database, for others to apply it. */
export const migrationSql = (): Promise<string> => migrationScript(environment().directUrl);

/** Brings the database up to date. @returns the names of the migrations that were applied */
export async function migrateDatabase(say: (text: string) => void): Promise<string[]> {
  const env = environment();
  const apply = async (directUrl: string) => {
    const { applied } = await migrate(directUrl, { say });
    return env.demo ? [...applied, ...(await migrateDemo(directUrl)).applied] : applied;
  };
  if (env.directUrl) return apply(env.directUrl);
  const server = await startEmbeddedPostgres({ dir: path.join(env.dataDir, "postgres") });
  return apply(server.url()).finally(server.stop);
}

export const appliedText = (applied: readonly string[]): string =>
  applied.length > 0 ? `Applied ${applied.join(", ")}.` : "The database is up to date.";

function environment() {
  const env = readEnv();
  setSchema(env.schema);
  return env;
}
