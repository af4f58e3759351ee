import type { Db, Statement } from "../db";

const nowStatement: Statement = { name: "now", text: "select clock_timestamp() as now" };

/** The database's clock, to the millisecond. */
export async function databaseNow(db: Db): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(nowStatement, []);
  return (row as { now: Date }).now;
}
