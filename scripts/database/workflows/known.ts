import type { ScheduleSpec } from "../../../lib/engine/schedules/schedule";
import type { Guards } from "../../../lib/engine/workflows/guards";
import type { Db, Statement } from "../../../lib/store/db";

/** Open runs that are alike for the versions that may go on with them. */
export interface OpenRuns {
  workflow: string;
  /** Which an operator has chosen. */
  chosen: number | null;
  /** Of the code that had them last, or that they were started as. */
  version: number;
  begun: boolean;
  runs: number;
  first: string;
}

const openStatement: Statement = {
  name: "check-open-runs",
  text: `
    select workflow, chosen_version as chosen, coalesce(code_version, version) as version, started_at is not null as begun,
      count(*)::int as runs, min(id::text) as first
    from handrail.run where status in ('pending', 'running', 'waiting', 'paused')
    group by 1, 2, 3, 4 order by 1, 3, 2, 4`,
};

export const countOpenRuns = (db: Db): Promise<OpenRuns[]> => db.query(openStatement, []);

const guardsStatement: Statement = {
  name: "check-guards",
  text: `
    select name as workflow, version, masked, four_eyes as "fourEyes" from handrail.workflow
    where name = any ($1::text[]) order by name, version`,
};

/** As registered by workers, of any version. */
export const readGuards = (db: Db, workflows: readonly string[]): Promise<Guards[]> =>
  db.query(guardsStatement, [workflows]);

export interface KnownSchedule {
  name: string;
  workflow: string;
  /** What an operator has set. */
  override: Partial<ScheduleSpec> | null;
}

const schedulesStatement: Statement = {
  name: "check-schedules",
  text: `
    select name, workflow, override from handrail.schedule
    where workflow = any ($1::text[]) or name = any ($2::text[]) order by name`,
};

export const readSchedules = (
  db: Db,
  workflows: readonly string[],
  schedules: readonly string[],
): Promise<KnownSchedule[]> => db.query(schedulesStatement, [workflows, schedules]);
