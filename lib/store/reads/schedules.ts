import type { RunStatus } from "../../engine/runs/run";
import type { Db, Statement } from "../db";
import { firedBy } from "../schedules/due-schedules";
import { type FiringCause, type FiringStatus, SCHEDULE_COLUMNS, type ScheduleRow } from "../schedules/schedule-rows";
import { AUDIT_COLUMNS, type AuditRow } from "./audit";

export interface FiringRow {
  nominal_at: Date;
  status: FiringStatus;
  cause: FiringCause;
  reason: string | null;
  run_id: string | null;
  fired_at: Date;
  run_status: RunStatus | null;
}

export interface ListedScheduleRow extends ScheduleRow {
  now: Date;
  workflow_title: string;
  /** Live workers that start its runs. */
  workers: number;
}

const listed = `
    select ${SCHEDULE_COLUMNS}, clock_timestamp() as now,
      coalesce((select title from handrail.workflow where workflow.name = schedule.workflow
        order by version desc limit 1), schedule.workflow) as workflow_title,
      (select count(*)::int from handrail.worker
        where stopped_at is null and stopping_at is null and lease_expires_at > clock_timestamp()
          and ${firedBy("worker")}) as workers
    from handrail.schedule`;

const listStatement: Statement = {
  name: "schedules",
  text: `
    ${listed} where schedule.name > $1 and ($3::text[] is null or schedule.workflow = any ($3))
    order by schedule.name limit $2::int`,
};

interface ScheduleListing {
  after: string;
  limit: number;
  /** Only schedules of these; null: all. */
  workflows: readonly string[] | null;
}

/** In the order of their names, after the name `after`. */
export const listSchedules = (db: Db, { after, limit, workflows }: ScheduleListing) =>
  db.query<ListedScheduleRow>(listStatement, [after, limit, workflows]);

const oneStatement: Statement = { name: "schedule", text: `${listed} where schedule.name = $1` };

export async function selectSchedule(db: Db, name: string): Promise<ListedScheduleRow | undefined> {
  const [row] = await db.query<ListedScheduleRow>(oneStatement, [name]);
  return row;
}

const firingsStatement: Statement = {
  name: "firings",
  text: `
    select last.schedule, last.nominal_at, last.status, last.cause, last.reason, last.run_id, last.fired_at,
      run.status as run_status
    from unnest($1::text[]) as given (schedule)
    cross join lateral (
      select * from handrail.firing where firing.schedule = given.schedule order by nominal_at desc limit $2::int
    ) as last
    left join handrail.run on run.id = last.run_id
    order by last.schedule, last.nominal_at desc`,
};

/** The last ones of each schedule, latest nominal time first. */
export const listLastFirings = (db: Db, schedules: readonly string[], perSchedule: number) =>
  db.query<FiringRow & { schedule: string }>(firingsStatement, [schedules, perSchedule]);

const firedStatement: Statement = {
  name: "fired-times",
  text: `
    select nominal_at, run_id from handrail.firing
    where schedule = $1 and nominal_at = any ($2::timestamptz[]) and run_id is not null`,
};

/** Which of these nominal times have their run. */
export const listFired = (db: Db, schedule: string, times: readonly Date[]) =>
  db.query<{ nominal_at: Date; run_id: string }>(firedStatement, [schedule, times.map((time) => time.toISOString())]);

const actsStatement: Statement = {
  name: "acts-on-schedule",
  text: `
    select ${AUDIT_COLUMNS} from handrail.audit
    where schedule = $1 order by audit.id desc limit $2::int`,
};

export const listActsOnSchedule = (db: Db, schedule: string, limit: number) =>
  db.query<AuditRow>(actsStatement, [schedule, limit]);
