import type { Db, Statement } from "../db";
import { openedRun } from "../payloads";
import { AS_IF_CLAIMED, type ClaimedRow, type ClaimedRun, claimedRun } from "../workers/claim-runs";

const parentStatement: Statement = {
  name: "parent-of-page",
  text: `
    with claimed as (select * from handrail.run where id = $1::uuid and erased_at is null)
    select ${AS_IF_CLAIMED} from claimed`,
};

/** As a claim would return it: its code leads to the page. Undefined if it was deleted or erased. @throws HandrailError `payload_locked` */
export async function parentOfPage(db: Db, runId: string): Promise<ClaimedRun | undefined> {
  const [row] = await db.query<ClaimedRow>(parentStatement, [runId]);
  return row && openedRun(claimedRun(row));
}
