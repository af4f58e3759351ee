import type { Db, Statement } from "./db";
import { holdsRun } from "./fence";

const cutOffStatement: Statement = {
  name: "cut-off-steps",
  text: `
    update handrail.step set
      status = case when effect = 'pure' or kind = 'transaction' then 'waiting' else 'unknown' end,
      next_attempt_at = case when effect = 'pure' or kind = 'transaction' then clock_timestamp() end,
      doubt = case when effect <> 'pure' and kind <> 'transaction' then $2 end,
      error = case when effect <> 'pure' and kind <> 'transaction' then $2 end, finished_at = null
    where run_id = $1::uuid and status = 'running' and superseded_by is null`,
};

/** The run ends without another pass: bodies that a lost worker was in are in doubt, or have left nothing behind. */
export function cutOffSteps(db: Db, runId: string, epoch: number, error: string): Promise<void> {
  return db.transaction(async (tx) => {
    if (await holdsRun(tx, runId, epoch)) await tx.query(cutOffStatement, [runId, error]);
  });
}
