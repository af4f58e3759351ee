import { isDeepStrictEqual } from "node:util";
import { effectiveSpec, type Schedule } from "../../engine/schedules/schedule";
import { nextAfter } from "../../engine/schedules/timing";
import { databaseNow } from "../database/database-now";
import type { Db, Statement } from "../db";
import { LOCKED_COLUMNS, type LockedSchedule, lookAtFor } from "./schedule-rows";

const lockStatement: Statement = {
  name: "lock-schedules",
  text: `
    select ${LOCKED_COLUMNS} from handrail.schedule where name = any ($1::text[]) order by name
    for no key update of schedule`,
};

// A row that another worker inserted meanwhile is as good: it comes from the same code, or from a newer one. One that was
// made at run time meanwhile becomes the code's, as in the other statement.
const insertStatement: Statement = {
  name: "insert-schedules",
  text: `
    insert into handrail.schedule (name, workflow, title, definition, nominal_at, look_at)
    select name, workflow, title, definition, nominal_at, nominal_at
    from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[])
      as given (name, workflow, title, definition, nominal_at)
    order by name
    on conflict (name) do update set
        workflow = excluded.workflow, title = excluded.title, definition = excluded.definition, at_run_time = false,
        revision = schedule.revision + 1,
        nominal_at = case when schedule.paused_at is null then excluded.nominal_at end,
        look_at = case when schedule.paused_at is null then excluded.look_at end
      where schedule.at_run_time`,
};

const redefineStatement: Statement = {
  name: "redefine-schedules",
  text: `
    update handrail.schedule set
      workflow = given.workflow, title = given.title, definition = given.definition, seen_at = clock_timestamp(),
      at_run_time = false,
      revision = revision + case when given.differs then 1 else 0 end,
      nominal_at = case when paused_at is null then coalesce(given.nominal_at, schedule.nominal_at) end,
      look_at = case when paused_at is not null then null when given.nominal_at is null then schedule.look_at
        else ${lookAtFor("given.nominal_at")} end
    from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[], $6::boolean[])
      as given (name, workflow, title, definition, nominal_at, differs)
    where schedule.name = given.name`,
};

/**
 * Registers the schedules of the code, when a worker starts: new schedules begin with their next time from now on; one
 * whose times have changed continues from now by the new ones; operators' overrides stay. The worker that starts last
 * wins, also over one that was made at run time: a deploy is not stopped by what somebody has made in the database.
 */
export async function syncSchedules(db: Db, schedules: readonly Schedule[]): Promise<void> {
  if (schedules.length === 0) return;
  await db.transaction(async (tx) => {
    const names = schedules.map(({ name }) => name);
    const known = new Map((await tx.query<LockedSchedule>(lockStatement, [names])).map((row) => [row.name, row]));
    const now = await databaseNow(tx);
    const fresh = schedules.filter(({ name }) => !known.has(name));
    await tx.query(insertStatement, [
      ...columnsOf(fresh),
      fresh.map(({ spec }) => nextAfter(spec.timing, now).toISOString()),
    ]);
    const old = schedules.filter(({ name }) => known.has(name));
    await tx.query(redefineStatement, [
      ...columnsOf(old),
      old.map((schedule) => newTime(schedule, known.get(schedule.name) as LockedSchedule, now)),
      old.map((schedule) => differs(schedule, known.get(schedule.name) as LockedSchedule)),
    ]);
  });
}

const columnsOf = (schedules: readonly Schedule[]) => [
  schedules.map(({ name }) => name),
  schedules.map(({ workflow }) => workflow),
  schedules.map(({ title }) => title),
  schedules.map(({ spec }) => JSON.stringify(spec)),
];

const differs = ({ spec, workflow, title }: Schedule, row: LockedSchedule) =>
  row.at_run_time || !isDeepStrictEqual([spec, workflow, title], [row.definition, row.workflow, row.title]);

/** Null when its times are unchanged. */
function newTime({ spec }: Schedule, { definition, override }: LockedSchedule, now: Date): string | null {
  const after = effectiveSpec(spec, override).timing;
  const same = isDeepStrictEqual(after, effectiveSpec(definition, override).timing);
  return same ? null : nextAfter(after, now).toISOString();
}
