import { HandrailError } from "../../engine/errors";
import type { TimeWindow } from "../../engine/queues/queue";
import { type Db, type Statement, sqlState } from "../db";

const INVALID_PARAMETER = "22023";

/** Of the code's windows, and of those that operators have set for these workflows. */
const statement: Statement = {
  name: "window-zones",
  text: `
    select clock_timestamp() at time zone used.zone from (
      select unnest($1::text[]) as zone
      union
      select window_zone from handrail.queue_limit where workflow = any ($2::text[]) and window_zone is not null
    ) as used`,
};

/**
 * Claims compute the windows of all workflows of a worker in one statement: a zone that the server does not know would fail all of them.
 * @param windows of the code; those that operators have set are read here, this transaction's own among them
 * @throws HandrailError with `code`; the transaction is aborted then
 */
export async function checkWindowZones(
  tx: Db,
  workflows: readonly string[],
  windows: readonly TimeWindow[],
  code: "invalid_workflow" | "invalid_request",
): Promise<void> {
  const zones = windows.map(({ timeZone }) => timeZone);
  try {
    await tx.query(statement, [zones, workflows]);
  } catch (error) {
    if (sqlState(error) !== INVALID_PARAMETER) throw error;
    throw new HandrailError(
      code,
      `The window of a workflow is in a zone that PostgreSQL does not know: ${(error as Error).message}. Write the name of a place, such as ` +
        `"America/New_York"; old names, such as "US/Eastern", are in Debian's package tzdata-legacy.`,
      {},
      { cause: error },
    );
  }
}
