import type { ScheduleSpec } from "../../engine/schedules/schedule";

export interface ScheduleRow {
  name: string;
  workflow: string;
  title: string;
  definition: ScheduleSpec;
  override: Partial<ScheduleSpec> | null;
  paused_at: Date | null;
  nominal_at: Date | null;
  look_at: Date | null;
  revision: number;
  created_at: Date;
  seen_at: Date;
  /** Not defined by code. */
  at_run_time: boolean;
  forgotten_until: Date | null;
}

/** With the database's time. */
export interface LockedSchedule extends ScheduleRow {
  now: Date;
}

export type FiringStatus = "started" | "queued" | "skipped" | "missed" | "refused";
export type FiringCause = "time" | "person" | "backfill";

/**
 * When to check a schedule whose next time becomes `next`: now, if a time of it waits for the end of a run. For a
 * statement after the lock of its row: one that waited for the lock does not see what its holder has queued.
 */
export const lookAtFor = (next: string) => `case when exists (
        select from handrail.firing where firing.schedule = schedule.name and firing.status = 'queued')
      then least(clock_timestamp(), ${next}) else ${next} end`;

/** By name: a statement that is prepared with `*` fails in each session from the migration on that adds a column. */
export const SCHEDULE_COLUMNS = `schedule.name, schedule.workflow, schedule.title, schedule.definition, schedule.override, schedule.paused_at,
      schedule.nominal_at, schedule.look_at, schedule.revision, schedule.created_at, schedule.seen_at, schedule.at_run_time, schedule.forgotten_until`;

export const LOCKED_COLUMNS = `${SCHEDULE_COLUMNS}, clock_timestamp() as now`;
