import type { Db, Statement } from "../db";
import { openedRun } from "../payloads";
import { AS_IF_CLAIMED, type ClaimedRow, type ClaimedRun, claimedRun } from "../workers/claim-runs";

/**
 * Runs that code will continue, as a claim would return them; by their ids, so that a long read misses none that stays
 * open.
 */
const openStatement: Statement = {
  name: "open-runs",
  text: `
    with claimed as (
      select * from handrail.run
      where status in ('pending', 'running', 'waiting', 'paused') and ($1::uuid is null or id > $1::uuid)
      order by id limit $2::int
    )
    select ${AS_IF_CLAIMED} from claimed order by id`,
};

export async function listOpenRuns(db: Db, page: { after: string | null; limit: number }): Promise<ClaimedRun[]> {
  const rows = await db.query<ClaimedRow>(openStatement, [page.after, page.limit]);
  return rows.map((row) => openedRun(claimedRun(row)));
}
