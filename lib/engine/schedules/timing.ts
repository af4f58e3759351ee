import { CronExpressionParser } from "cron-parser";
import { HandrailError } from "../errors";
import { changeBetween, isTimeZone, offsetAt } from "./time-zone";

/** When a schedule fires: at wall-clock times of a zone, or at every multiple of `everyMs` since 1970 UTC. */
export type Timing = { cron: string; timeZone: string } | { everyMs: number };

const MIN_EVERY_MS = 1_000;
const MAX_EVERY_MS = 366 * 86_400_000;
/** Clock changes are smaller than this (except for a zone that crosses the date line). */
const LARGEST_CHANGE_MS = 3 * 3_600_000;
const NICKNAMES = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@hourly"];

/** @throws HandrailError `invalid_schedule` that says what is wrong and what to write instead */
export function checkTiming(timing: Timing): void {
  if ("everyMs" in timing) {
    const { everyMs } = timing;
    if (!Number.isInteger(everyMs) || everyMs < MIN_EVERY_MS || everyMs > MAX_EVERY_MS)
      throw invalid(`everyMs is a whole number of milliseconds from 1000 (a second) to ${MAX_EVERY_MS} (366 days).`);
    return;
  }
  const { cron, timeZone } = timing;
  if (!isTimeZone(timeZone))
    throw invalid(`"${timeZone}" is no time zone. Use a name of the IANA database, such as "Europe/Berlin" or "UTC".`);
  const fields = cron.trim().split(/\s+/).length;
  if (cron.length > 200 || (fields !== 5 && fields !== 6 && !NICKNAMES.includes(cron.trim())))
    throw invalid(
      `"${cron.slice(0, 200)}" is no cron expression. It has five fields (minute hour day-of-month month day-of-week), or six with seconds first, such as "0 3 * * *".`,
    );
  if (/\bH\b/.test(cron)) throw invalid(`"H" in "${cron}" means a random time. Write the time itself.`);
  try {
    firstFrom(timing, 0);
  } catch (error) {
    throw invalid(`The cron expression "${cron}" does not work: ${(error as Error).message}.`);
  }
}

const invalid = (message: string) => new HandrailError("invalid_schedule", message);

/** The first nominal time after an instant. Deterministic: all processes compute the same times. */
export const nextAfter = (timing: Timing, instant: Date): Date => new Date(firstFrom(timing, instant.getTime() + 1));

/** Nominal times in [from, to], in order, `limit` at the most. */
export function timesBetween(timing: Timing, from: Date, to: Date, limit: number): Date[] {
  const times: Date[] = [];
  for (let at = from.getTime(); times.length < limit; ) {
    const time = firstFrom(timing, at);
    if (time > to.getTime()) break;
    times.push(new Date(time));
    at = time + 1;
  }
  return times;
}

/**
 * The last nominal time in [from, to]; null when there is none. By halves: neither a schedule of every second of the working hours nor
 * one of every leap year takes many steps.
 */
export function lastBetween(timing: Timing, from: Date, to: Date): Date | null {
  const end = to.getTime();
  let last = firstFrom(timing, from.getTime());
  if (last > end) return null;
  for (let none = end + 1; none - last > 1; ) {
    const middle = Math.floor((last + none) / 2);
    const time = firstFrom(timing, middle);
    if (time <= end) last = time;
    else none = middle;
  }
  return new Date(last);
}

function firstFrom(timing: Timing, instant: number): number {
  if ("everyMs" in timing) return Math.ceil(instant / timing.everyMs) * timing.everyMs;
  return wallTimes(timing.cron).everyHour ? firstOfSegments(timing, instant) : firstOfFixedTimes(timing, instant);
}

/*
 * An expression for every hour is an interval: it fires in both of two hours that the clocks repeat, and in none that
 * they skip. If the clocks change before the time found, the search continues from the change.
 */
function firstOfSegments({ cron, timeZone }: { cron: string; timeZone: string }, instant: number): number {
  for (let from = instant; ; ) {
    const offset = offsetAt(timeZone, from);
    const found = wallTimes(cron).firstFrom(from + offset) - offset;
    const change = changeBetween(timeZone, from, found);
    if (!change) return found;
    from = change.at;
  }
}

/*
 * An expression for certain hours is a time of day: each day's fires once. A repeated time is the first of the two; a
 * skipped one moves by as much as the clocks are put forward (02:30 is 03:30).
 */
function firstOfFixedTimes({ cron, timeZone }: { cron: string; timeZone: string }, instant: number): number {
  const { firstFrom: firstWall } = wallTimes(cron);
  for (let from = instant; ; ) {
    const offset = offsetAt(timeZone, from);
    const recent = changeBetween(timeZone, from - LARGEST_CHANGE_MS, from);
    const shift = recent ? recent.after - recent.before : 0;
    if (recent && shift < 0 && from < recent.at - shift) {
      from = recent.at - shift;
      continue;
    }
    let found = firstWall(from + offset) - offset;
    if (recent && shift > 0 && from < recent.at + shift) {
      const leftOut = firstWall(from + recent.before) - recent.before;
      if (leftOut < recent.at + shift) found = Math.min(found, leftOut);
    }
    const change = changeBetween(timeZone, from, found);
    if (!change) return found;
    from = change.at;
  }
}

/*
 * A cron expression over wall-clock times, which the parser takes for instants of UTC: its own handling of clock
 * changes depends on its start time.
 */
function wallTimes(cron: string) {
  const parse = (from: number) => CronExpressionParser.parse(cron, { currentDate: new Date(from), tz: "UTC" });
  return {
    get everyHour(): boolean {
      return new Set(parse(0).fields.hour.values).size === 24;
    },
    firstFrom: (wall: number): number =>
      parse(wall - 1)
        .next()
        .getTime(),
  };
}
