import type { Db } from "../db";
import { FIRST_LOOK, MOST_LOOKED_AT } from "./pace";
import { digestsOf, hasTitle } from "./run-conditions";
import { Parameters, type RunFilter } from "./run-filter";

/** The filter with what has to be counted before the ways to its runs are chosen. Counting stops at a bound. */
export async function narrowed(db: Db, filter: RunFilter): Promise<RunFilter> {
  if (filter.parentRunId !== undefined) return filter;
  return filter.q ? withTitles(db, filter, filter.q) : byRarestTag(db, filter);
}

/** A common beginning of titles leads to too many runs to put them in order: then the newest runs are read instead. */
async function withTitles(db: Db, filter: RunFilter, q: string): Promise<RunFilter> {
  const parameters = new Parameters();
  const title = hasTitle(q, parameters);
  if (title === undefined) return filter;
  const text = `select count(*)::int as runs from (select from handrail.run where ${title} limit ${FIRST_LOOK + 1}) as few`;
  const [row] = await db.query<{ runs: number }>({ name: "", text }, parameters.values);
  const { runs } = row as { runs: number };
  return { ...filter, titled: runs === 0 ? "none" : runs > FIRST_LOOK ? "many" : "few" };
}

/**
 * Of several tags the rarest one leads to the runs, so that a page does not read all orders of a region to find those
 * of one customer.
 */
async function byRarestTag(db: Db, filter: RunFilter): Promise<RunFilter> {
  const tags = Object.entries(filter.tags ?? {});
  if (tags.length < 2 || filter.problem !== undefined) return filter;
  const parameters = new Parameters();
  const counts = tags.map(([name, values]) => {
    const value = parameters.add(digestsOf(values, filter.blind ?? false), "text[]");
    return `(select count(*) from (select from handrail.run_tag
      where name = ${parameters.add(name, "text")} and value = any (${value}) limit ${MOST_LOOKED_AT}) as few)`;
  });
  const text = `select array[${counts.join(", ")}]::int[] as counts`;
  const [row] = await db.query<{ counts: number[] }>({ name: "", text }, parameters.values);
  const { counts: runs } = row as { counts: number[] };
  const rarest = tags[runs.indexOf(Math.min(...runs))] as (typeof tags)[number];
  return { ...filter, tags: Object.fromEntries([rarest, ...tags.filter((tag) => tag !== rarest)]) };
}
