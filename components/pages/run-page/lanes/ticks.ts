import { offsetAt } from "@/lib/engine/schedules/time-zone";
import { formatDuration } from "@/lib/format";
import { formatClock, formatClockToMs, formatDay, formatMinute, type TimeStyle } from "@/lib/format/times";
import type { TimeScale } from "./time-scale";

export interface Tick {
  /** Share of the width, 0 to 1. */
  at: number;
  text: string;
}

/** What the axis counts: from an instant on, or the clock of the viewer. */
export type Axis = { from: number } | { times: TimeStyle };

const TICKS = 5;
const TICK_DISTANCE = 0.12;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1_440 * MINUTE_MS;

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3, 1_800e3,
  3_600e3, 7_200e3, 10_800e3, 21_600e3, 43_200e3, 86_400e3, 172_800e3, 604_800e3, 1_209_600e3, 2_592_000e3,
];

/** Round places of the axis, and where a folded stretch ends. */
export function ticksOf(scale: TimeScale, axis: Axis): Tick[] {
  const { open, place, from } = scale;
  const openMs = open.reduce((sum, piece) => sum + piece.to - piece.from, 0);
  const step = STEPS_MS.find((candidate) => candidate >= openMs / TICKS) ?? openMs;
  const origin = "from" in axis ? axis.from : -offsetAt(axis.times.zone, from);
  const write = (ms: number) => ("from" in axis ? elapsed(ms - axis.from) : clock(ms, step, axis.times));
  const ticks: Tick[] = [];
  for (const piece of open) {
    if (piece.from > from) addTick(ticks, piece.at, write(piece.from));
    const first = origin + Math.ceil((piece.from - origin) / step) * step;
    for (let ms = first; step > 0 && ms <= piece.to; ms += step) addTick(ticks, place(ms), write(ms));
  }
  return ticks;
}

function addTick(ticks: Tick[], at: number, text: string): void {
  const last = ticks.at(-1);
  if (last && at - last.at < TICK_DISTANCE) return;
  ticks.push({ at, text });
}

const elapsed = (ms: number) => (ms === 0 ? "0" : formatDuration(ms));

/** As fine as the distance of the ticks asks for. */
function clock(ms: number, step: number, times: TimeStyle): string {
  if (step >= DAY_MS) return formatDay(ms, times);
  if (step >= MINUTE_MS) return formatMinute(ms, times);
  return step >= SECOND_MS ? formatClock(ms, times) : formatClockToMs(ms, times);
}
