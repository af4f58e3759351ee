import { type ClockChange, changeBetween, offsetAt } from "./time-zone";

const MINUTE_MS = 60_000;
/** Every offset from UTC is smaller than this, and no offset changes twice within it. */
const FAR_MS = 26 * 60 * MINUTE_MS;

/** Wall-clock time as if it were UTC: milliseconds, or NaN. `2026-11-21`, `2026-11-21T14:30` and finer; no zone. */
export function readWallTime(text: string): number {
  const [, day, time = "00:00"] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?$/.exec(text) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`);
}

/** The zone's wall-clock time at an instant, to the minute: `2026-11-21T14:30`. */
export const wallTimeAt = (instant: number, zone: string): string =>
  new Date(instant + offsetAt(zone, instant)).toISOString().slice(0, "2026-11-21T14:30".length);

/**
 * The instants of a zone's wall-clock time, in milliseconds since 1970: normally one; two, the earlier first, if the
 * clocks repeat it; none if they skip it, and for NaN.
 */
export function instantsOf(wall: number, zone: string): number[] {
  if (Number.isNaN(wall)) return [];
  const offsets = new Set([offsetAt(zone, wall - FAR_MS), offsetAt(zone, wall + FAR_MS)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((instant) => offsetAt(zone, instant) === wall - instant)
    .toSorted((a, b) => a - b);
}

/** The clock change that skips or repeats this time. */
const changeAround = (wall: number, zone: string): ClockChange | null =>
  changeBetween(zone, wall - FAR_MS, wall + FAR_MS);

/** "The clocks of Europe/Berlin are put forward from 02:00 to 03:00 then." */
export function skippedWords(wall: number, zone: string): string {
  const change = changeAround(wall, zone);
  if (change === null) return `The clocks of ${zone} never show this.`;
  const clock = (offset: number) => new Date(change.at + offset).toISOString().slice(11, 16);
  return `The clocks of ${zoneWords(zone)} are put forward from ${clock(change.before)} to ${clock(change.after)} then.`;
}

export const zoneWords = (zone: string): string => zone.replaceAll("_", " ");

/** `UTC`, `UTC+1`, `UTC−3:30` */
export function offsetWords(zone: string, instant: number): string {
  const minutes = Math.round(offsetAt(zone, instant) / MINUTE_MS);
  if (minutes === 0) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "−" : "+"}${hours}${rest > 0 ? `:${String(rest).padStart(2, "0")}` : ""}`;
}
