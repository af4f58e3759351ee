const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Widths of a bar, chosen so that bars begin and end at round times. Days and hours begin in UTC. */
const WIDTHS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
  7 * DAY_MS,
  30 * DAY_MS,
  365 * DAY_MS,
];

/** Most bars of one chart: more are not readable. */
export const MOST_BUCKETS = 60;

interface TimeBuckets {
  widthMs: number;
  /** Start times of the bars, one width apart; the first may be before the window, the last end after it. */
  starts: number[];
}

/** The bars that cover the window; none if the window ends before it begins. */
export function bucketsOf(fromMs: number, untilMs: number): TimeBuckets {
  const countOf = (width: number) => Math.ceil(untilMs / width) - Math.floor(fromMs / width);
  const widthMs = WIDTHS_MS.find((width) => countOf(width) <= MOST_BUCKETS) ?? (WIDTHS_MS.at(-1) as number);
  const first = Math.floor(fromMs / widthMs) * widthMs;
  const count = Math.min(Math.max(0, countOf(widthMs)), MOST_BUCKETS);
  return { widthMs, starts: Array.from({ length: count }, (_, index) => first + index * widthMs) };
}
