import { judgeDatabase } from "../engine/database-health";
import type { Db } from "../store/db";
import { selectDatabaseHealth } from "../store/reads/database-health";

export async function readDatabaseHealth(db: Db) {
  const facts = await selectDatabaseHealth(db);
  return { ...facts, findings: judgeDatabase(facts), updatedAt: new Date().toISOString() };
}
