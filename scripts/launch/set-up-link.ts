import pg from "pg";
import { inviteFirst } from "../../lib/access/invite";
import { poolDb } from "../../lib/store/db";

/** Where the first person of all chooses a name and a password; null where there are people already. Each start makes a new one. */
export async function setUpLink(databaseUrl: string, address: string): Promise<string | null> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: "handrail set-up" });
  try {
    const secret = await inviteFirst(poolDb(pool));
    // After the #, it reaches neither the log of a proxy nor another site.
    return secret === null ? null : `${address}/set-up#${secret}`;
  } finally {
    await pool.end();
  }
}
