import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";

interface Tables {
  orders: { id: string; cents: number; charge_id: string | null };
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
// Without a listener, node ends the process when the session of a borrowed client ends.
pool.on("connect", (client) => client.on("error", () => undefined));
export const dbOn = (pool: pg.Pool) => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
export const db = dbOn(pool);
