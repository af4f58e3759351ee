import { offsetAt } from "../schedules/time-zone";

/** Hours of the week, by the wall clock of a time zone, in which a rule sends nothing. */
export interface MuteWindow {
  /** On which it begins: 1 is Monday, 7 is Sunday. */
  days: readonly number[];
  /** `22:00`. */
  from: string;
  /** Exclusive; at or before `from`, it is that of the next day. */
  to: string;
  /** An IANA time zone, such as `Europe/Berlin`. */
  timeZone: string;
}

const DAY_MINUTES = 24 * 60;

/**
 * By what the clock on the wall shows: an hour that the clocks repeat is muted both times, and one that they skip is not missed.
 */
export const isWithin = (windows: readonly MuteWindow[], instant: number): boolean =>
  windows.some(({ days, from, to, timeZone }) => {
    const wall = new Date(instant + offsetAt(timeZone, instant));
    const minute = wall.getUTCHours() * 60 + wall.getUTCMinutes();
    const day = wall.getUTCDay() || 7;
    const [begin, end] = [minutesOf(from), minutesOf(to)];
    if (begin < end) return days.includes(day) && minute >= begin && minute < end;
    const dayBefore = day === 1 ? 7 : day - 1;
    return (days.includes(day) && minute >= begin) || (days.includes(dayBefore) && minute < end);
  });

const minutesOf = (clock: string): number => (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))) % DAY_MINUTES;

const DAY_NAMES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const LINE = /^([a-z, -]+?)\s+(\d\d:\d\d)\s*-\s*(\d\d:\d\d)\s+(\S+)$/i;

/** One window a line: `mon-fri 22:00-06:00 Europe/Berlin`. A string says what is wrong with the first bad line. */
export function parseMuteWindows(text: string): MuteWindow[] | string {
  const windows: MuteWindow[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "") continue;
    const [, dayText = "", from = "", to = "", timeZone = ""] = LINE.exec(line) ?? [];
    const days = daysOf(dayText);
    if (days === null) return `"${line}" is not read. Write it like: mon-fri 22:00-06:00 Europe/Berlin`;
    windows.push({ days, from, to, timeZone });
  }
  return windows;
}

function daysOf(text: string): number[] | null {
  const days = new Set<number>();
  for (const part of text.toLowerCase().split(",")) {
    const [first = "", last = first] = part.split("-").map((name) => name.trim());
    const [begin, end] = [DAY_NAMES.indexOf(first), DAY_NAMES.indexOf(last)];
    if (begin < 0 || end < 0) return null;
    for (let day = begin; ; day = (day + 1) % 7) {
      days.add(day + 1);
      if (day === end) break;
    }
  }
  return [...days].sort((a, b) => a - b);
}

/** As `parseMuteWindows` reads it. */
export const muteWindowsText = (windows: readonly MuteWindow[]): string =>
  windows.map(({ days, from, to, timeZone }) => `${dayWords(days)} ${from}-${to} ${timeZone}`).join("\n");

function dayWords(days: readonly number[]): string {
  const sorted = [...days].sort((a, b) => a - b);
  const name = (day: number | undefined) => DAY_NAMES[(day ?? 1) - 1];
  const isRange =
    sorted.length > 2 && sorted.every((day, place) => place === 0 || day === (sorted[place - 1] ?? 0) + 1);
  return isRange ? `${name(sorted[0])}-${name(sorted.at(-1))}` : sorted.map(name).join(",");
}
