import { type Db, poolDb } from "../../store/db";
import { createTestDatabase, type TestDatabase } from "../database/database";
import { anApi } from "./api";

export interface ApiOnADatabase {
  api: Awaited<ReturnType<typeof anApi>>;
  database: TestDatabase;
  db: Db;
  /** Closes the web process's parts, and drops the database. */
  close(): Promise<void>;
}

/** The HTTP API, without sign-in, on a separate database. @param app default: the sample workflows */
export async function anApiOnADatabase(app?: Parameters<typeof anApi>[0]): Promise<ApiOnADatabase> {
  const database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
  const api = await anApi(app);
  const close = async () => {
    const { shutdown } = await import("../../shutdown");
    await shutdown();
    await database.drop();
  };
  return { api, database, db: poolDb(database.pool), close };
}
