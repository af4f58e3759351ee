import { effectiveSpec } from "../../engine/schedules/schedule";
import { databaseNow } from "../../store/database/database-now";
import type { Db } from "../../store/db";
import {
  listActsOnSchedule,
  listFired,
  listLastFirings,
  listSchedules,
  selectSchedule,
} from "../../store/reads/schedules";
import { decodeCursor, encodeCursor } from "../cursor";
import type { Page } from "../runs/reads";
import { checkedTimes, unknownSchedule } from "./backfill-times";
import { scheduleAuditView, scheduleView } from "./schedule-view";

const DEFAULT_PAGE_SIZE = 50;
const LAST_FIRINGS = 20;
const LAST_ACTS = 20;

/** @param workflows those that the caller may see; null: all. Here and not afterwards: the cursor names a schedule, too */
export async function readSchedules(
  db: Db,
  { cursor, limit = DEFAULT_PAGE_SIZE }: Page,
  workflows: readonly string[] | null,
) {
  const fits = ([name]: unknown[]) => typeof name === "string" && !name.includes("\0");
  const after = cursor === undefined ? "" : decodeCursor<[string]>(cursor, fits)[0];
  const rows = await listSchedules(db, { after, limit: limit + 1, workflows });
  const shown = rows.slice(0, limit);
  const names = shown.map(({ name }) => name);
  const firings = await listLastFirings(db, names, 1);
  const schedules = shown.map((row) =>
    scheduleView(
      row,
      firings.filter(({ schedule }) => schedule === row.name),
    ),
  );
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { schedules, nextCursor: last ? encodeCursor([last.name]) : null, updatedAt: new Date().toISOString() };
}

/** @throws HandrailError `unknown_schedule` */
export async function readSchedule(db: Db, name: string) {
  const row = await selectSchedule(db, name);
  if (!row) throw unknownSchedule(name);
  const [firings, acts] = await Promise.all([
    listLastFirings(db, [name], LAST_FIRINGS),
    listActsOnSchedule(db, name, LAST_ACTS),
  ]);
  return { ...scheduleView(row, firings), audit: acts.map(scheduleAuditView) };
}

/** What a backfill of the range would do. Changes nothing. @throws HandrailError as the backfill itself does */
export async function previewBackfill(db: Db, name: string, range: { from: string; to: string }) {
  const row = await selectSchedule(db, name);
  if (!row) throw unknownSchedule(name);
  const { timing } = effectiveSpec(row.definition, row.override);
  const times = checkedTimes(timing, range, { now: await databaseNow(db), forgottenUntil: row.forgotten_until });
  const fired = new Map((await listFired(db, name, times)).map((one) => [one.nominal_at.getTime(), one.run_id]));
  const shown = times.map((time) => ({ nominalAt: time.toISOString(), runId: fired.get(time.getTime()) ?? null }));
  return { times: shown, toStart: shown.filter(({ runId }) => runId === null).length, revision: row.revision };
}
