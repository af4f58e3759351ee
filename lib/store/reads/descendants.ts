import type { Db, Statement } from "../db";
import { MOST_LEVELS, type StatusCounts } from "./family";

interface DescendantsRow {
  id: string;
  by_status: StatusCounts;
  /** There are more than were counted. */
  capped: boolean;
}

/*
 * Level by level from each run, one index lookup for each counted run: the cost of a count is proportional to its
 * result, and it stops at its cap and at the deepest level. The order by id is that of the index: without it, the limit
 * leads the planner to read the whole table for a run without children.
 */
export const descendantsStatement: Statement = {
  name: "descendants",
  text: `
    select given.id::text, below.by_status, below.capped
    from unnest($1::uuid[]) as given (id)
    cross join lateral (
      with recursive under as (
        select given.id, null::text as status, 0 as depth
        union all
        select child.id, child.status, under.depth + 1
        from under cross join lateral (
          select run.id, run.status from handrail.run where run.parent_run_id = under.id
          order by run.id limit $2::int + 1) as child
        where under.depth < ${MOST_LEVELS}
      ), seen as materialized (select * from under where depth > 0 limit $2::int + 1), counted as (
        select status, count(*)::int as count, max(depth) as depth
        from (select * from seen limit $2::int) as counted group by status
      )
      select coalesce(json_object_agg(status, count), '{}') as by_status,
        (select count(*) > $2::int from seen) or coalesce(max(depth), 0) = ${MOST_LEVELS} as capped
      from counted
    ) as below`,
};

/** The descendants of these runs by status, up to `cap` for each run. */
export function countDescendants(db: Db, runIds: readonly string[], cap: number): Promise<DescendantsRow[]> {
  return db.query<DescendantsRow>(descendantsStatement, [runIds, cap]);
}
