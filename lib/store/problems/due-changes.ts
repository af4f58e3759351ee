import { CALM_MINUTES } from "../../engine/problems/problem";
import type { Db, Statement } from "../db";

const MUTE_ENDED = "muted_until <= (select clock_timestamp())";
/** A worker of an older version counts runs without keeping calm_at. */
const CALMED = `status = 'open' and open_runs = 0
          and calm_at <= (select clock_timestamp() - interval '${CALM_MINUTES} minutes')`;

/** Of each kind, in one call. */
export const CHANGED_AT_ONCE = 100;

/** Whether a problem changes by itself now, or trouble waits to be folded. */
export const PROBLEMS_WAIT = `(exists (select from handrail.trouble)
      or exists (select from handrail.problem where ${MUTE_ENDED}) or exists (select from handrail.problem where ${CALMED}))`;

const changeStatement: Statement = {
  name: "change-due-problems",
  text: `
    with unmuted as (
      update handrail.problem set status = 'open', muted_until = null, muted_to_count = null, revision = revision + 1
      where id in (select id from handrail.problem where ${MUTE_ENDED} limit ${CHANGED_AT_ONCE} for no key update skip locked)
      returning id, example_run_id, 'mute_ended' as what, 'The mute expired.' as text
    ), resolved as (
      -- Since it has been calm, not since now: a failure that waits to be folded came after that, and opens it again.
      update handrail.problem set status = 'resolved', resolved_at = calm_at, revision = revision + 1,
        came_back = null, came_back_at = null
      where id in (
        select id from handrail.problem where ${CALMED}
        limit ${CHANGED_AT_ONCE} for no key update skip locked)
      returning id, example_run_id, 'resolve' as what, 'No run has had it for ${CALM_MINUTES} minutes.' as text
    ), changed as (
      select * from unmuted union all select * from resolved
    ), noted as (
      insert into handrail.problem_history (problem_id, what, text) select id, what, text from changed
    )
    select example_run_id::text as "runId" from changed`,
};

/**
 * Reopens problems whose mute has ended and resolves those that no run has had for CALM_MINUTES, CHANGED_AT_ONCE of each
 * at the most; returns an example run of each.
 * Races with: the fold and operators' actions, which lock the row; a locked problem is left to the next call.
 */
export async function changeDueProblems(db: Db): Promise<string[]> {
  return (await db.query<{ runId: string }>(changeStatement, [])).map(({ runId }) => runId);
}
