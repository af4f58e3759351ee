import type { Db, Statement } from "../db";
import { runOf } from "../runs-by-id";

/** Failures further apart than this do not follow each other: a waiting run asks the store every minute or so. */
const APART = "interval '5 minutes'";
/** Of a row of `blob_wait`: it is not over, as far as is known. */
export const WAITS_ON = `blob_wait.failed_at > (select clock_timestamp()) - ${APART}`;

/**
 * Runs that wait for the blob store, with `ms`, from the first failure to the last one: one that got through at once has no wait.
 * A run that has waited for long asks less often: the oldest last failures are of those that wait longest.
 */
export const heldUpByStore = (most: string | number) => `(
      select run.workflow, extract(epoch from blob_wait.failed_at - blob_wait.since)::float8 * 1000 as ms
      from (select * from handrail.blob_wait where ${WAITS_ON} order by failed_at limit ${most}) as blob_wait
      cross join ${runOf("blob_wait.run_id", "workflow, finished_at")} as run where run.finished_at is null)`;

const failureStatement: Statement = {
  name: "blob-wait",
  text: `
    insert into handrail.blob_wait (run_id, error, failures, since, failed_at)
    select id, $2, 1, clock_timestamp(), clock_timestamp() from handrail.run where id = $1::uuid
    on conflict (run_id) do update set error = excluded.error, failed_at = clock_timestamp(),
      failures = case when ${WAITS_ON} then least(blob_wait.failures + 1, 100) else 1 end,
      since = case when ${WAITS_ON} then blob_wait.since else clock_timestamp() end
    returning failures`,
};

/** Notes why a value that the run waits for could be neither read nor put; returns how often that has happened on end. */
export async function noteBlobWait(db: Db, runId: string, error: string): Promise<number> {
  const [row] = await db.query<{ failures: number }>(failureStatement, [runId, error]);
  return row?.failures ?? 1;
}
