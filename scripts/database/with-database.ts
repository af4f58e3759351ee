import path from "node:path";
import pg from "pg";
import { type Env, readEnv } from "../../lib/env";
import { type Db, poolDb } from "../../lib/store/db";
import { setSchema } from "../../lib/store/schema";
import { explainMissingTables } from "../not-migrated";
import { startEmbeddedPostgres } from "../postgres/embedded";

/**
 * On one connection to the database of DATABASE_URL, or to the embedded one, which is started for it.
 * @param purpose what the connection calls itself in the database, after `handrail`
 * @throws StartError where Handrail's tables are missing or old
 */
export async function withDatabase<Result>(
  purpose: string,
  work: (db: Db, env: Env) => Promise<Result>,
): Promise<Result> {
  const env = readEnv();
  setSchema(env.schema);
  if (env.databaseUrl) return onConnection(env.databaseUrl, purpose, (db) => work(db, env));
  const server = await startEmbeddedPostgres({ dir: path.join(env.dataDir, "postgres") });
  return onConnection(server.url(), purpose, (db) => work(db, env)).finally(server.stop);
}

async function onConnection<Result>(
  connectionString: string,
  purpose: string,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({ connectionString, max: 1, application_name: `handrail ${purpose}` });
  return work(poolDb(pool))
    .catch(explainMissingTables)
    .finally(() => pool.end());
}
