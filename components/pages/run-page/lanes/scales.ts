import type { Lane, StepRow } from "./lanes";
import type { Segment } from "./step-segments";
import { type Interval, stretchesOf, type TimeScale, timeScale } from "./time-scale";

// Asked for with every frame of a zoom, of thousands of steps.
const known = new WeakMap<readonly StepRow[], Interval[]>();

/** When something ran: time without that is idle. */
function busyOf(rows: readonly StepRow[]): Interval[] {
  const busy = known.get(rows) ?? stretchesOf(rows.flatMap(({ segments }) => segments.filter(isBusy)));
  known.set(rows, busy);
  return busy;
}

const isBusy = ({ idle }: Segment) => idle === null;

/** Each lane has its own, for hours may lie between them; all have the same while a window of time is looked at. */
export function scalesOf(
  lanes: readonly Lane[],
  window: Interval | null,
  unfolded: ReadonlySet<number>,
): Map<string, TimeScale> {
  if (!window)
    return new Map(
      lanes.map(({ key, rows, startMs, endMs }) => [
        key,
        timeScale({ from: startMs, to: endMs }, busyOf(rows), unfolded),
      ]),
    );
  const busy = lanes.flatMap(({ rows }) => busyOf(rows)).filter(({ from, to }) => to > window.from && from < window.to);
  const shared = timeScale(window, busy, unfolded);
  return new Map(lanes.map(({ key }) => [key, shared]));
}

/** The run from its beginning to its end. */
export function wholeScale(lanes: readonly Lane[], unfolded: ReadonlySet<number>): TimeScale {
  const from = lanes.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY);
  const to = lanes.reduce((most, { endMs }) => Math.max(most, endMs), 0);
  return timeScale(
    { from, to },
    lanes.flatMap(({ rows }) => busyOf(rows)),
    unfolded,
  );
}

/** What the time of an idle stretch was spent on, most of it: `asleep`. */
export function idleWord(lanes: readonly Lane[], gap: Interval): string {
  const middle = (gap.from + gap.to) / 2;
  for (const { rows } of lanes.filter(({ startMs, endMs }) => startMs <= middle && middle <= endMs))
    for (const { segments } of rows)
      for (const { from, to, idle } of segments) if (idle !== null && from <= middle && middle <= to) return idle;
  return "idle";
}

/**
 * The window after zooming in the whole run's places, where folded time counts as it is drawn.
 * @param factor above 1 shows less time, below 1 more
 * @returns null for the whole
 */
export function zoomed(whole: TimeScale, window: Interval | null, factor: number, anchorMs: number): Interval | null {
  const [from, to] = window ? [whole.place(window.from), whole.place(window.to)] : [0, 1];
  const anchor = Math.min(to, Math.max(from, whole.place(anchorMs)));
  return windowAt(whole, anchor - (anchor - from) / factor, anchor + (to - anchor) / factor);
}

/** The window moved by a share of its width. */
export function panned(whole: TimeScale, window: Interval, by: number): Interval | null {
  const [from, to] = [whole.place(window.from), whole.place(window.to)];
  const shift = Math.max(-from, Math.min(1 - to, by * (to - from)));
  return windowAt(whole, from + shift, to + shift);
}

/** No window is narrower, so that there is always something to see. */
const LEAST_MS = 1;

export function windowAt(whole: TimeScale, from: number, to: number): Interval | null {
  if (from <= 0 && to >= 1) return null;
  const start = Math.floor(whole.timeAt(Math.max(0, from)));
  return { from: start, to: Math.max(start + LEAST_MS, Math.ceil(whole.timeAt(Math.min(1, to)))) };
}
