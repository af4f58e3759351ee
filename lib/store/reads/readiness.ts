import type { Db, Statement } from "../db";

const readyStatement: Statement = { name: "readiness", text: `select from handrail.run limit 1` };

/** Rejects when the database cannot be reached or has no tables of ours. */
export async function selectReadiness(db: Db): Promise<void> {
  await db.query(readyStatement, []);
}
