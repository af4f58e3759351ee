import type { Db, Statement } from "../db";

/** Drives register a worker a call: those that are gone are kept for so long, for people to look at. */
const GONE_KEPT_MS = 7 * 86_400_000;

/*
 * Races with: nobody who could mind. A worker that has stopped owns nothing and never comes back, and its id is never given
 * again: what names it goes on to.
 */
const deleteStatement: Statement = {
  name: "delete-old-workers",
  text: `
    with gone as (
      delete from handrail.worker where id in (
        select id from handrail.worker where stopped_at < clock_timestamp() - $1::float8 * interval '1 ms'
        order by id limit $2::int for update skip locked)
      returning id
    )
    select count(*)::int as deleted from gone`,
};

/** Deletes workers that have been gone for long; returns how many. */
export async function deleteOldWorkers(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(deleteStatement, [GONE_KEPT_MS, limit]);
  return row?.deleted ?? 0;
}
