import pg from "pg";
import { inviteFirst } from "../../lib/access/invite-first";
import { poolDb } from "../../lib/store/db";

/**
 * The link where the first user chooses a name and a password; null if there are users already. Each start makes a new
 * one.
 */
export async function setUpLink(databaseUrl: string, address: string): Promise<string | null> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, application_name: "handrail set-up" });
  try {
    const secret = await inviteFirst(poolDb(pool));
    // After the #, it reaches neither a proxy's log nor another site.
    return secret === null ? null : `${address}/set-up#${secret}`;
  } finally {
    await pool.end();
  }
}
