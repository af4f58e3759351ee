import type { Db, Statement } from "../db";
import { lockFold } from "./problem-feed";

/** The last hour, with a margin for open pages. */
const MINUTES_KEPT = "3 hours";
/** For the last week, and the one before to compare with. */
const HOURS_KEPT = "15 days";
/** Without a failure and without a run that it still holds. */
const PROBLEMS_KEPT = "90 days";

const countsStatement: Statement = {
  name: "delete-old-problem-counts",
  text: `
    with old as (
      (select problem_id, minutes, at from handrail.problem_count
        where minutes = 1 and at < (select clock_timestamp()) - interval '${MINUTES_KEPT}' order by at limit $1::int)
      union all
      (select problem_id, minutes, at from handrail.problem_count
        where minutes = 60 and at < (select clock_timestamp()) - interval '${HOURS_KEPT}' order by at limit $1::int)
    ), gone as (
      delete from handrail.problem_count using old
      where problem_count.problem_id = old.problem_id and problem_count.minutes = old.minutes and problem_count.at = old.at
      returning 1
    )
    select count(*)::int as deleted from gone`,
};

/** Under the lock of the fold, which would otherwise count a failure of a problem that was just deleted. */
const problemsStatement: Statement = {
  name: "delete-old-problems",
  text: `
    with gone as (
      delete from handrail.problem where id in (
        select id from handrail.problem where open_runs = 0 and last_at < (select clock_timestamp()) - interval '${PROBLEMS_KEPT}'
        order by last_at limit $1::int for update skip locked)
      returning id
    ), no_key as (
      delete from handrail.problem_fingerprint using gone where problem_id = gone.id
    ), no_count as (
      delete from handrail.problem_count using gone where problem_id = gone.id
    ), no_version as (
      delete from handrail.problem_version using gone where problem_id = gone.id
    ), no_probe as (
      delete from handrail.probe using gone where problem_id = gone.id
    ), no_history as (
      delete from handrail.problem_history using gone where problem_id = gone.id
    )
    select count(*)::int as deleted from gone`,
};

/**
 * Deletes expired counts and problems, up to the limit of each; returns how many. The runs they held keep a row without
 * a problem.
 */
export async function deleteOldProblems(db: Db, limit: number): Promise<number> {
  const [counts] = await db.query<{ deleted: number }>(countsStatement, [limit]);
  const problems = await db.transaction(async (tx) =>
    (await lockFold(tx)) ? await tx.query<{ deleted: number }>(problemsStatement, [limit]) : [],
  );
  return (counts?.deleted ?? 0) + (problems[0]?.deleted ?? 0);
}
