import type { Db, Statement } from "../db";

/** Every call of a drive registers a worker: ended ones are kept this long, for people to inspect. */
const GONE_KEPT_MS = 7 * 86_400_000;

/*
 * Races with: nothing. A stopped worker owns nothing and never comes back, and its id is never reused: rows that name
 * it keep the name.
 */
const deleteStatement: Statement = {
  name: "delete-old-workers",
  text: `
    with gone as (
      delete from handrail.worker where id in (
        select id from handrail.worker where stopped_at < (select clock_timestamp()) - $1::float8 * interval '1 ms'
        order by id limit $2::int for update skip locked)
      returning id
    )
    select count(*)::int as deleted from gone`,
};

/** Deletes workers that ended long ago; returns how many. */
export async function deleteOldWorkers(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(deleteStatement, [GONE_KEPT_MS, limit]);
  return row?.deleted ?? 0;
}
