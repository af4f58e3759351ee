import type { Db, Statement } from "../db";
import { LOCKED_COLUMNS, type LockedSchedule } from "./schedule-rows";

/** The schedules that a worker fires: those that its code defines or that were made at run time, and whose workflow it has. */
export const firedBy = (worker: string) =>
  `(schedule.at_run_time or schedule.name = any (${worker}.schedules)) and schedule.workflow = any (${worker}.workflows)`;

/*
 * Guarantee: the worker that gets a row is the only one to fire that schedule until its transaction ends. Races with:
 * the same in other workers and an operator's edit (skip locked; a change of the row has moved look_at, which is
 * compared again).
 */
const lockDueStatement: Statement = {
  name: "lock-due-schedules",
  text: `
    select ${LOCKED_COLUMNS} from handrail.schedule join handrail.worker on worker.id = $1::bigint
    where schedule.look_at <= (select clock_timestamp()) and ${firedBy("worker")} and ($3::text[] is null or schedule.name = any ($3)) and schedule.name <> all ($4::text[])
    order by schedule.look_at limit $2::int
    for no key update of schedule skip locked`,
};

/** `among`: only these, if they are due; null: any but those of `except`. */
export const lockDueSchedules = (
  tx: Db,
  workerId: number,
  limit: number,
  { among, except }: { among: readonly string[] | null; except: readonly string[] },
) => tx.query<LockedSchedule>(lockDueStatement, [workerId, limit, among, except]);

/** A run of a schedule that has not ended. */
export interface ActiveRun {
  schedule: string;
  id: string;
  cancelRequested: boolean;
}

/** More runs of one schedule make no difference. */
const MAX_ACTIVE = 100;

// After the schedules are locked: runs that an earlier firing started are committed, and visible.
const activeStatement: Statement = {
  name: "active-runs-of-schedules",
  text: `
    select run.schedule, run.id::text, run.cancel_requested_at is not null and run.status = 'running' as "cancelRequested"
    from unnest($1::text[]) as given (schedule)
    cross join lateral (
      select * from handrail.run
      where run.schedule = given.schedule and run.status in ('pending', 'running', 'waiting', 'paused', 'compensating')
      order by run.id limit $2::int
    ) run`,
};

export const listActiveRuns = (tx: Db, schedules: readonly string[]) =>
  tx.query<ActiveRun>(activeStatement, [schedules, MAX_ACTIVE]);

const moveOnStatement: Statement = {
  name: "move-schedules-on",
  text: `
    update handrail.schedule set nominal_at = given.nominal_at, look_at = given.look_at
    from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as given (name, nominal_at, look_at)
    where schedule.name = given.name`,
};

export interface NextLook {
  name: string;
  nominalAt: Date;
  lookAt: Date;
}

export async function moveSchedulesOn(tx: Db, next: readonly NextLook[]): Promise<void> {
  await tx.query(moveOnStatement, [
    next.map(({ name }) => name),
    next.map(({ nominalAt }) => nominalAt.toISOString()),
    next.map(({ lookAt }) => lookAt.toISOString()),
  ]);
}

/** Until the first schedule of a worker is due, in milliseconds, as a scalar subquery; null when it has none. */
export const nextScheduleInMs = (worker: string, which = "true") => `
    select (extract(epoch from schedule.look_at - clock_timestamp()) * 1000)::float8 from handrail.schedule
    where schedule.look_at is not null and ${firedBy(worker)} and ${which}
    order by schedule.look_at limit 1`;

const nextLookStatement: Statement = {
  name: "next-schedule",
  text: `select (${nextScheduleInMs("worker", "schedule.name <> all ($2::text[])")}) as ms from handrail.worker where id = $1::bigint`,
};

/** Until the first schedule of a worker is due, in milliseconds, without those of `except`. */
export async function nextLookInMs(db: Db, workerId: number, except: readonly string[]): Promise<number | null> {
  const [row] = await db.query<{ ms: number | null }>(nextLookStatement, [workerId, except]);
  return row?.ms ?? null;
}

// After the lock, too: a statement that waited for it does not see what its holder has queued.
const queuedStatement: Statement = {
  name: "queued-times-of-schedules",
  text: "select schedule, nominal_at from handrail.firing where schedule = any ($1::text[]) and status = 'queued'",
};

/** The nominal times that wait for the end of a run, by schedule. */
export async function queuedTimes(tx: Db, schedules: readonly string[]): Promise<Map<string, Date>> {
  const rows = await tx.query<{ schedule: string; nominal_at: Date }>(queuedStatement, [schedules]);
  return new Map(rows.map((row) => [row.schedule, row.nominal_at]));
}
