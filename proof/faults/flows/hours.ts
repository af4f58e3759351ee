import { fileURLToPath } from "node:url";
import type { Db } from "../../../lib/store/db";
import { syncSchedules } from "../../../lib/store/schedules/sync-schedules";
import { hourly, schedules } from "./workflows";

/** The module that workers in processes of their own load. */
export const FLOWS = fileURLToPath(new URL("./workflows.ts", import.meta.url));

const MISSED_HOURS = 5;

/** The schedule is registered, and has not fired for some hours. */
export async function missHours(
  db: Db,
  rows: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>,
): Promise<void> {
  await syncSchedules(db, schedules);
  const at = `date_trunc('hour', clock_timestamp()) - ${MISSED_HOURS - 1} * interval '1 h'`;
  await rows(`update handrail.schedule set nominal_at = ${at}, look_at = ${at} where name = $1`, [hourly.name]);
}
