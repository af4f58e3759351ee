import { formatNumber } from "./format/numbers";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Two units at most, the larger first: `6 ms`, `1.9 s`, `41 s`, `3 min 10 s`, `23 h 12 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return "–";
  const whole = Math.max(0, ms);
  if (whole < SECOND_MS) return `${Math.round(whole)} ms`;
  if (whole < 10 * SECOND_MS) return `${formatNumber(Math.floor(whole / 100) / 10, 1)} s`;
  if (whole < MINUTE_MS) return `${Math.floor(whole / SECOND_MS)} s`;
  if (whole < HOUR_MS) return twoUnits(whole, MINUTE_MS, "min", SECOND_MS, "s");
  if (whole < DAY_MS) return twoUnits(whole, HOUR_MS, "h", MINUTE_MS, "min");
  return twoUnits(whole, DAY_MS, "d", HOUR_MS, "h");
}

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const first = Math.floor(ms / large);
  const second = Math.floor((ms % large) / small);
  const head = `${formatCount(first)} ${largeName}`;
  return second > 0 && first < 100 ? `${head} ${second} ${smallName}` : head;
}

/** One unit: `just now`, `12 s ago`, `4 min ago`, `in 23 h`. */
export function formatRelative(at: string, nowMs: number): string {
  const distance = nowMs - Date.parse(at);
  const ahead = distance < 0;
  const ms = Math.abs(distance);
  if (ms < 2 * SECOND_MS) return ahead ? "in a moment" : "just now";
  const text = oneUnit(ms);
  return ahead ? `in ${text}` : `${text} ago`;
}

function oneUnit(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
}

/** `1,204`; at the cap, where counting stopped, `10,000+`. */
export function formatCount(count: number, cap = Number.POSITIVE_INFINITY): string {
  return count >= cap ? `${formatNumber(cap)}+` : formatNumber(count);
}

/** `412`, `1.2k`, `10k+`: rounded down, for small spaces; the full number is shown elsewhere. */
export function formatShortCount(count: number, cap = Number.POSITIVE_INFINITY): string {
  if (count >= cap) return `${formatShortCount(cap)}+`;
  if (count < 1_000) return String(count);
  return count < 10_000
    ? `${formatNumber(Math.floor(count / 100) / 10, 1)}k`
    : `${formatNumber(Math.floor(count / 1_000))}k`;
}

/** An incomplete count: `12+`, and `?` when none was found so far, since `0+` reads like none. */
export const atLeast = (count: number, more: boolean, format: (count: number) => string = formatCount): string =>
  more ? (count > 0 ? `${format(count)}+` : "?") : format(count);

/** `1 run`, `2 runs`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `0199c3f7…e5a1`: both ends, since people compare the ends. */
export function shortenMiddle(text: string, head = 8, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}

/** `6 kB`, `1.2 GB`: decimal units. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const scaled = bytes / 1_000 ** power;
  return `${formatNumber(scaled, scaled < 10 && power > 0 ? 1 : 0)} ${units[power]}`;
}
