import type { Db, Statement } from "../db";

/** How long an event that no run took is kept; its id deduplicates for as long. */
const UNCLAIMED_KEPT_MS = 90 * 86_400_000;

/*
 * Races with: a waiter that takes such an event at this instant, and senders to such a key. What they have locked is
 * skipped; a waiter that comes too late finds no event, and a sender that finds no key creates it again.
 */
const deleteStatement: Statement = {
  name: "delete-old-events",
  text: `
    with no_key as (
      delete from handrail.event_key where (name, key) in (
        select name, key from handrail.event_key as old
        where used_at < (select clock_timestamp()) - $1::float8 * interval '1 ms'
          and not exists (select from handrail.event
            where event.name = old.name and event.key = old.key and event.taken_by is null)
          and not exists (select from handrail.event_wait as wait
            where wait.event = old.name and wait.key = old.key and wait.closed_at is null)
        order by used_at limit $2::int for update skip locked)
      returning name
    ), no_event as (
      delete from handrail.event where seq in (
        select seq from handrail.event
        where run_id is null and taken_by is null and sent_at < (select clock_timestamp()) - $1::float8 * interval '1 ms'
        order by sent_at limit $2::int for update skip locked)
      returning seq
    )
    select greatest((select count(*) from no_key), (select count(*) from no_event))::int as deleted`,
};

/** Deletes events that no run took, and unused keys, up to `limit` of each; returns how many of the more numerous ones. */
export async function deleteOldEvents(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(deleteStatement, [UNCLAIMED_KEPT_MS, limit]);
  return row?.deleted ?? 0;
}
