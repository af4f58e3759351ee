import { judgeDatabase, judgeStandby } from "../../engine/flow/database-health";
import { selectDatabaseHealth } from "../../store/database/database-health";
import type { Db } from "../../store/db";
import { Unusable } from "../../store/standby/sight";
import type { Standby } from "../../store/standby/standby";

/** @param standby where the console reads from, if not from the primary alone */
export async function readDatabaseHealth(db: Db, standby: Standby | null) {
  const [facts, ofStandby] = await Promise.all([selectDatabaseHealth(db), standby?.health()]);
  const findings = [...judgeDatabase(facts), ...(ofStandby ? [judgeStandby(reasonOf(ofStandby.trouble))] : [])];
  return { ...facts, findings, updatedAt: new Date().toISOString() };
}

/** The error of a connection names hosts and roles: it is in the log, and the doctor prints it. */
function reasonOf(trouble: Error | null): string | null {
  if (trouble === null) return null;
  return trouble instanceof Unusable ? trouble.message : "it does not answer";
}
