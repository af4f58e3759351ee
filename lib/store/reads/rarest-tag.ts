import type { Db } from "../db";
import { MOST_LOOKED_AT } from "./pace";
import { digestsOf } from "./run-conditions";
import { Parameters, type RunFilter } from "./run-filter";

/**
 * Of several tags the rarest one leads to the runs, so that a page does not read all orders of a region to find those
 * of one customer. Counting a tag stops at the bound on runs read.
 */
export async function byRarestTag(db: Db, filter: RunFilter): Promise<RunFilter> {
  const tags = Object.entries(filter.tags ?? {});
  if (tags.length < 2 || filter.parentRunId !== undefined || filter.q || filter.problem !== undefined) return filter;
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
