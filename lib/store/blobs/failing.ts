import type { Db, Statement } from "../db";

/** Failures further apart than this do not follow each other: a waiting run asks the store every minute or so. */
const APART = "interval '5 minutes'";
/** Of a row of `blob`: its last call failed, as far as is known. */
export const FAILING = `failed_at > (select clock_timestamp()) - ${APART}`;

/**
 * Runs that wait for the blob store, with `failing_since`. Whoever fails for long asks less often: the oldest last failures are of
 * those that wait longest.
 */
export const heldUpByStore = (most: string | number) => `(
      select run.workflow, failing.failing_since
      from (select run_id, failing_since from handrail.blob where gone_at is null and ${FAILING} order by failed_at limit ${most}) as failing
      join handrail.run on run.id = failing.run_id and run.finished_at is null)`;

const troubleStatement: Statement = {
  name: "blob-trouble",
  text: `
    update handrail.blob set error = $2, failed_at = clock_timestamp(),
      failures = case when ${FAILING} then least(failures + 1, 100) else 1 end,
      failing_since = case when ${FAILING} then failing_since else clock_timestamp() end
    where key = $1 returning failures`,
};

/** Notes why a blob could not be read; returns how often that has happened on end. */
export async function noteBlobTrouble(db: Db, key: string, error: string): Promise<number> {
  const [row] = await db.query<{ failures: number }>(troubleStatement, [key, error]);
  return row?.failures ?? 1;
}
