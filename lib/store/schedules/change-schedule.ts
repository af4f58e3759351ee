import { effectiveSpec, type ScheduleSpec } from "../../engine/schedules/schedule";
import { nextAfter } from "../../engine/schedules/timing";
import type { Db, Statement } from "../db";
import { LOCKED_COLUMNS, type LockedSchedule, lookAtFor } from "./schedule-rows";

const lockStatement: Statement = {
  name: "lock-schedule",
  text: `select ${LOCKED_COLUMNS} from handrail.schedule where name = $1 for no key update of schedule`,
};

/** Waits for other holders of its row; undefined for an unknown schedule. */
export async function lockSchedule(tx: Db, name: string): Promise<LockedSchedule | undefined> {
  const [row] = await tx.query<LockedSchedule>(lockStatement, [name]);
  return row;
}

const pauseStatement: Statement = {
  name: "pause-schedule",
  text: `
    update handrail.schedule set paused_at = clock_timestamp(), nominal_at = null, look_at = null, revision = revision + 1
    where name = $1`,
};

export async function pauseSchedule(tx: Db, { name }: LockedSchedule): Promise<void> {
  await tx.query(pauseStatement, [name]);
}

const goOnStatement: Statement = {
  name: "change-schedule",
  text: `
    update handrail.schedule set
      paused_at = case when $2::boolean then paused_at end, "override" = $3::jsonb, revision = revision + 1,
      nominal_at = case when not $2::boolean or paused_at is null then $4::timestamptz end,
      look_at = case when not $2::boolean or paused_at is null then ${lookAtFor("$4::timestamptz")} end
    where name = $1`,
};

/** Continues from now: times during the pause were not missed, but intentionally skipped. */
export async function resumeSchedule(tx: Db, locked: LockedSchedule): Promise<void> {
  await goOn(tx, locked, locked.override, { keepPause: false });
}

/** Continues from now by the new times, also when the old ones had passed. `override` null: as the code defines it. */
export async function overrideSchedule(
  tx: Db,
  locked: LockedSchedule,
  override: Partial<ScheduleSpec> | null,
): Promise<void> {
  await goOn(tx, locked, override, { keepPause: true });
}

async function goOn(
  tx: Db,
  { name, definition, now }: LockedSchedule,
  override: Partial<ScheduleSpec> | null,
  { keepPause }: { keepPause: boolean },
): Promise<void> {
  const next = nextAfter(effectiveSpec(definition, override).timing, now).toISOString();
  const kept = override && JSON.stringify(override);
  await tx.query(goOnStatement, [name, keepPause, kept, next]);
}
