import { isHandrailError } from "../../engine/errors";
import { selectReadiness } from "../../store/database/readiness";
import { type Db, sqlState } from "../../store/db";

const UNDEFINED_TABLE = "42P01";
const UNDEFINED_SCHEMA = "3F000";

/** Why this process is not ready, in sentences; empty when it is. */
export async function readinessProblems(db: Db): Promise<string[]> {
  try {
    const { readOnly } = await selectReadiness(db);
    return readOnly ? ["The database takes no changes: DATABASE_URL leads to a standby. Lead it to the primary."] : [];
  } catch (error) {
    if (isHandrailError(error)) return [error.message];
    const state = sqlState(error);
    return state === UNDEFINED_TABLE || state === UNDEFINED_SCHEMA
      ? ["The database has no tables of Handrail's. Run `npm run migrate`."]
      : ["The database cannot be reached. Check that it runs, and DATABASE_URL."];
  }
}
