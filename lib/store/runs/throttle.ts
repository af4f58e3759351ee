import type { RunToStart } from "../../engine/runs/start";
import type { Db, Statement } from "../db";

type Throttle = NonNullable<RunToStart["throttle"]>;

const GIVEN = "$4::float8 * interval '1 ms'";
/** The longest one that a build asked with: the row expires so long after its last start. */
const LONGEST = `greatest(${GIVEN}, least(kept.expires_at - kept.starts[cardinality(kept.starts)], interval '1 day'))`;
/** No limit counts more than 1,000. */
const within = (period: string) =>
  `select at from unnest(kept.starts[greatest(cardinality(kept.starts) - 998, 1):]) as at where at > clock_timestamp() - ${period}`;

/*
 * Guarantee: in no period of the given length are there more starts of the key than the limit, by the database's clock, also beside a
 * build whose period is another. Races with: the same statement in other sessions, which waits for this one's transaction and then
 * counts its start, or does not if that rolled back. The instants that no longer count are dropped.
 */
const takeStatement: Statement = {
  name: "take-throttled-start",
  text: `
    insert into handrail.throttle as kept (workflow, key, starts, expires_at)
    values ($1, $2, array[clock_timestamp()], clock_timestamp() + ${GIVEN})
    on conflict (workflow, key) do update set
      starts = array_append(array(${within(LONGEST)}), clock_timestamp()),
      expires_at = clock_timestamp() + ${LONGEST}
    where (select count(*) from unnest(kept.starts) as at where at > clock_timestamp() - ${GIVEN}) < $3::int
    returning true as taken`,
};

/** The start whose end of the period makes room: the oldest of the latest `limit`. */
const waitStatement: Statement = {
  name: "wait-for-throttled-start",
  text: `
    select (extract(epoch from starts[greatest(cardinality(starts) - $3::int + 1, 1)] - clock_timestamp()) * 1000 + $4::float8)::float8 as ms
    from handrail.throttle where workflow = $1 and key = $2`,
};

/* The transaction holds the row: the last instant is its own. */
const giveBackStatement: Statement = {
  name: "give-throttled-start-back",
  text: `update handrail.throttle set starts = starts[1:cardinality(starts) - 1] where workflow = $1 and key = $2`,
};

/** Counts a start. Returns null, or the time until the next one is taken, in milliseconds. */
export async function takeStart(tx: Db, workflow: string, { key, limit, perMs }: Throttle): Promise<number | null> {
  const values = [workflow, key, limit, perMs];
  if ((await tx.query(takeStatement, values)).length > 0) return null;
  const [row] = await tx.query<{ ms: number }>(waitStatement, values);
  return Math.max(1, Math.ceil(row?.ms ?? 1));
}

/** Of a start that started nothing. */
export async function giveStartBack(tx: Db, workflow: string, { key }: Throttle): Promise<void> {
  await tx.query(giveBackStatement, [workflow, key]);
}

/* Races with: starts, which lock the row (left out), or insert it anew. */
const deleteStatement: Statement = {
  name: "delete-old-throttles",
  text: `
    with past as (
      select workflow, key from handrail.throttle where expires_at < (select clock_timestamp())
      order by expires_at limit $1::int for update skip locked
    ), gone as (
      delete from handrail.throttle using past where throttle.workflow = past.workflow and throttle.key = past.key
      returning 1
    )
    select count(*)::int as deleted from gone`,
};

/** Keys none of whose starts counts any more. Returns how many were deleted, at most `limit`. */
export async function deleteOldThrottles(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(deleteStatement, [limit]);
  return row?.deleted ?? 0;
}
