import { isHandrailError } from "../../engine/errors";
import { selectReadiness } from "../../store/database/readiness";
import { type Db, sqlState } from "../../store/db";
import { ANSWER_MS, within } from "./database-pulse";

const UNDEFINED_TABLE = "42P01";
const UNDEFINED_SCHEMA = "3F000";

const HANGS = `The database does not answer within ${ANSWER_MS / 1_000} s. Check whether it is stopped, out of connections, or waits for its disk.`;

/** Why this process is not ready, in sentences; empty when it is. Answers also while the database hangs. */
export async function readinessProblems(db: Db): Promise<string[]> {
  try {
    const answer = await within(selectReadiness(db), ANSWER_MS, null);
    if (answer === null) return [HANGS];
    return answer.readOnly
      ? ["The database takes no changes: DATABASE_URL leads to a standby. Lead it to the primary."]
      : [];
  } catch (error) {
    if (isHandrailError(error)) return [error.message];
    const state = sqlState(error);
    return state === UNDEFINED_TABLE || state === UNDEFINED_SCHEMA
      ? ["The database has no tables of Handrail's. Run `npm run migrate`."]
      : ["The database cannot be reached. Check that it runs, and DATABASE_URL."];
  }
}
