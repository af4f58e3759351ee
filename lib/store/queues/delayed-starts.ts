import type { Db, Statement } from "../db";
import { AMONG } from "../runs-by-id";
import { firstTimers, NEW } from "../workers/fitting-runs";

/** Delayed starts released in one round. */
const TIMERS_PER_ROUND = 500;

/*
 * A delayed start whose time has come while its intake is closed waits with all other pending runs, and is counted with
 * them. Races with: operators' actions and debounced starts, which hold the row (left out; the condition is checked
 * again on the locked row), and an opening (then it is simply ready).
 */
const passStatement: Statement = {
  name: "let-delayed-starts-pass",
  text: `
    with candidate as (
      select timed.id from unnest($1::text[]) as given (workflow)
      cross join lateral (${firstTimers(NEW, "given.workflow", "run.due_at <= (select clock_timestamp())", `${TIMERS_PER_ROUND}`, "run.id")}
        limit ${TIMERS_PER_ROUND}
      ) as timed
    ), due as (
      select run.id from handrail.run
      where ${AMONG("candidate")} and coalesce(run.due_at <= clock_timestamp() and run.status = 'pending' and run.started_at is null, false)
      for no key update of run skip locked
    )
    update handrail.run set due_at = null, revision = revision + 1 where ${AMONG("due")}`,
};

/** Rules about closed intakes. */
export async function letDelayedStartsPass(db: Db, workflows: readonly string[]): Promise<void> {
  await db.query(passStatement, [workflows]);
}
