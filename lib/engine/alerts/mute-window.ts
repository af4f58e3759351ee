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
