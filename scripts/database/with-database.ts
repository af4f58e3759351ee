import pg from "pg";
import { type Db, poolDb } from "../../lib/store/db";
import { setPayloadKeys } from "../../lib/store/payloads";
import { setSchema } from "../../lib/store/schema";
import { explainMissingTables } from "../not-migrated";
import type { Home } from "./home";

/**
 * On one connection to the database.
 * @param purpose what the connection calls itself in the database, after `handrail`
 * @throws StartError where Handrail's tables are missing or old
 */
export async function withDatabase<Result>(
  home: Home,
  purpose: string,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  setSchema(home.env.schema);
  setPayloadKeys(home.env.payloadKeys);
  return home.onDatabase(async ({ databaseUrl }) => {
    await home.checkTables();
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: `handrail ${purpose}` });
    return work(poolDb(pool))
      .catch((error) => explainMissingTables(error, home.migrateCommand))
      .finally(() => pool.end());
  });
}
