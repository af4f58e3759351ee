import { judgeDatabase } from "../../engine/flow/database-health";
import { selectDatabaseHealth } from "../../store/database/database-health";
import type { Db } from "../../store/db";

export async function readDatabaseHealth(db: Db) {
  const facts = await selectDatabaseHealth(db);
  return { ...facts, findings: judgeDatabase(facts), updatedAt: new Date().toISOString() };
}
