import type { Db, Statement } from "../db";

const readyStatement: Statement = {
  name: "readiness",
  text: `select current_setting('transaction_read_only')::boolean as read_only, exists (select from handrail.run)`,
};

/** Whether the database accepts writes. Rejects if it cannot be reached or lacks our tables. */
export async function selectReadiness(db: Db): Promise<{ readOnly: boolean }> {
  const [row] = await db.query<{ read_only: boolean }>(readyStatement, []);
  return { readOnly: row?.read_only ?? false };
}
