import { runTimedOut, startExpired } from "../../engine/runs/run-deadline";
import { serializeError } from "../../engine/values/serialized-error";
import type { Db, Statement } from "../db";
import { AMONG } from "../runs-by-id";

const AT_ONCE = 500;

/** Of a run that has not begun, the time by which it must have begun or ended. A paused one waits for its resume. */
const BEGIN_BY = "least(begin_by, deadline_at)";
const HAS_NOT_BEGUN = "status = 'pending' and started_at is null";
const OVERDUE = `${HAS_NOT_BEGUN} and ${BEGIN_BY} <= (select clock_timestamp())`;

/**
 * Whether any run is overdue, by the first entry of an index: each beat asks. `exists` would read through a backlog, of which PostgreSQL,
 * without statistics of this time, takes a third for overdue.
 */
export const SOME_OVERDUE = `coalesce((select ${BEGIN_BY} from handrail.run
        where ${HAS_NOT_BEGUN} and ${BEGIN_BY} is not null order by ${BEGIN_BY} limit 1) <= clock_timestamp(), false)`;

/*
 * Guarantee: a run that no worker begins in time ends once, also where no worker has its workflow. Nothing of it was executed, so
 * nothing is compensated, and no code is needed. Races with: claims and actions (skip locked; the condition is checked again on the
 * locked row), itself in other workers. A claim that comes first and too late ends the run by itself (`begin_by <= started_at`).
 */
const expireStatement: Statement = {
  name: "expire-starts",
  text: `
    with overdue as (
      select id from handrail.run
      where ${OVERDUE}
      order by ${BEGIN_BY} limit ${AT_ONCE}
    ), held as (
      select run.id, coalesce(begin_by <= clock_timestamp(), false) as expired from handrail.run
      where ${AMONG("overdue")} and coalesce(${OVERDUE}, false)
      for no key update of run skip locked
    )
    update handrail.run set
      status = case when expired then 'cancelled' else 'failed' end, error = case when expired then $1 else $2 end,
      attention = case when not expired then 'failed' end,
      finished_at = clock_timestamp(), epoch = epoch + 1, revision = revision + 1, due_at = null
    from held where ${AMONG("held")} and run.id = held.id
    returning run.id::text`,
};

const EXPIRED = JSON.stringify(serializeError(startExpired()));
const TIMED_OUT = JSON.stringify(serializeError(runTimedOut()));

/** Ends them, some hundreds at a time; returns their ids. */
export async function expireStarts(db: Db): Promise<string[]> {
  return (await db.query<{ id: string }>(expireStatement, [EXPIRED, TIMED_OUT])).map(({ id }) => id);
}
