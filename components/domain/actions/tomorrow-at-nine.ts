import { instantsOf, readWallTime, wallTimeAt } from "@/lib/engine/schedules/wall-time";

const DAY_MS = 86_400_000;

/** Tomorrow at nine by the clocks of this zone. A day may have 23 or 25 hours, so a day is added to the date. */
export function tomorrowAtNine(now: number, zone: string): number {
  const today = readWallTime(wallTimeAt(now, zone).slice(0, "2026-11-21".length));
  const tomorrow = new Date(today + DAY_MS).toISOString().slice(0, "2026-11-21".length);
  return instantsOf(readWallTime(`${tomorrow}T09:00`), zone)[0] ?? now + DAY_MS;
}
