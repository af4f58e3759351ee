import type { CompensationLane } from "../../engine/compensations/compensation-board";
import type { Db, Statement } from "../db";

/* What needs attention, said once for lists, filters, counts and the board. */

const FEW = 32;

/*
 * A lookup for each of 10,000 runs takes longer than all else of a count. So the runs of all snoozes, which are few or none, are
 * read first, once a statement. Null where there are more, which says nothing about a run: then it is looked up.
 */
const unlessOneOfFew = (
  id: string,
) => `${id} <> all ((select case when count(*) <= ${FEW} then coalesce(array_agg(run_id), '{}') end
        from (select run_id from handrail.snooze limit ${FEW + 1}) as few)::uuid[])`;

/*
 * A snooze ends by itself: at its time, or when what it is about is no longer as it was seen. The clock is volatile on
 * purpose: the planner then looks at the few rows of this table for each run that an index gave, and keeps that index.
 */
const notSnoozed = (
  run: string,
) => `(${unlessOneOfFew(`${run}.id`)} or not exists (select from handrail.snooze join handrail.run as present on present.id = snooze.run_id
        where snooze.run_id = ${run}.id and snooze.step = '' and snooze.until > clock_timestamp() and snooze.seen = present.revision::text))`;

const SEEN = "compensation.generation || ' ' || compensation.status || ' ' || compensation.attempt";

/** Also while its run is snoozed. */
const NOT_SNOOZED = `(${unlessOneOfFew("compensation.run_id")} or not exists (select from handrail.snooze join handrail.run as present on present.id = snooze.run_id
        where snooze.run_id = compensation.run_id and snooze.until > clock_timestamp()
          and (snooze.step = '' and snooze.seen = present.revision::text or snooze.step = compensation.step and snooze.seen = ${SEEN})))`;

/** Why the run needs attention; null if it does not. */
export const attentionOf = (run: string) => `case when ${notSnoozed(run)} then ${run}.attention end`;

/** The condition by which its index finds the runs that need attention for this reason, an expression. */
export const needsAttention = (run: string, why: string) => `${run}.attention = ${why} and ${notSnoozed(run)}`;

/** Compensations without an outcome, in the exact words of their index's predicate. */
export const OPEN_COMPENSATIONS = `compensation.status in ('owed', 'running', 'failed') and ${NOT_SNOOZED}`;

/** Each in the exact words of its index's predicate. */
export const COMPENSATION_LANES = {
  failed: `compensation.status = 'failed' and ${NOT_SNOOZED}`,
  by_hand: `compensation.status = 'owed' and compensation.mode = 'manual' and ${NOT_SNOOZED}`,
  running: `compensation.status = 'running' and ${NOT_SNOOZED}`,
  owed: `compensation.status = 'owed' and compensation.mode = 'automatic' and ${NOT_SNOOZED}`,
  settled: "compensation.status in ('completed', 'waived')",
} satisfies Record<CompensationLane, string>;

/*
 * Races with: nothing, because the transaction holds the run (lockRun). A change that commits before has its own revision,
 * attempt or status, and what is seen here is that; one that commits later ends the snooze.
 */
const snoozeStatement: Statement = {
  name: "snooze",
  text: `
    insert into handrail.snooze (run_id, step, until, seen)
    select id, '', coalesce($3::timestamptz, 'infinity'), revision::text from handrail.run
    where id = $1::uuid and $2::text is null and attention is not null
    union all
    select run_id, step, coalesce($3::timestamptz, 'infinity'), ${SEEN} from handrail.compensation
    where run_id = $1::uuid and step = $2 and status in ('owed', 'running', 'failed')
    on conflict (run_id, step) do update set until = excluded.until, seen = excluded.seen
    returning 1`,
};

/** Of the run, or of one compensation. False: it needs no attention. @param until absent: until it changes */
export async function snooze(tx: Db, runId: string, step: string | undefined, until: string | undefined) {
  return (await tx.query(snoozeStatement, [runId, step ?? null, until ?? null])).length > 0;
}

const endStatement: Statement = {
  name: "end-snooze",
  text: "delete from handrail.snooze where run_id = $1::uuid and step = coalesce($2::text, '') returning 1",
};

/** False: it is not snoozed. */
export async function endSnooze(tx: Db, runId: string, step: string | undefined): Promise<boolean> {
  return (await tx.query(endStatement, [runId, step ?? null])).length > 0;
}
