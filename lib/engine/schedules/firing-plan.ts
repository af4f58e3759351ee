import type { Overlap, ScheduleSpec } from "./schedule";
import { lastBetween, nextAfter, timesBetween } from "./timing";

/** A nominal time that passed less than this ago is late, not missed: a worker was live, and busy. */
const ON_TIME_MS = 60_000;
/** More than these wait for the next round, so that a round stays short. */
export const MAX_FIRINGS_PER_ROUND = 100;

/** What to do with the nominal times of a schedule that have passed. */
interface FiringPlan {
  /** The nominal times to fire, in order. */
  fire: Date[];
  /** Nominal times that the missed policy skips: the first and the last. */
  leftOut: { from: Date; to: Date } | null;
  /** The next nominal time to evaluate; already in the past if there were more than fit into one round. */
  next: Date;
}

/** `nominalAt` is the first nominal time not evaluated yet; `now` is the database's. */
export function planFirings(spec: ScheduleSpec, nominalAt: Date, now: Date): FiringPlan {
  if (nominalAt > now) return { fire: [], leftOut: null, next: nominalAt };
  return spec.missed === "all" ? planAll(spec, nominalAt, now) : planLast(spec, nominalAt, now);
}

function planLast({ timing, missed }: ScheduleSpec, nominalAt: Date, now: Date): FiringPlan {
  const last = lastBetween(timing, nominalAt, now) ?? nominalAt;
  const fires = missed === "last" || now.getTime() - last.getTime() <= ON_TIME_MS;
  const before = new Date(last.getTime() - 1);
  const lastLeftOut = fires ? lastBetween(timing, nominalAt, before) : last;
  return {
    fire: fires ? [last] : [],
    leftOut: lastLeftOut && { from: nominalAt, to: lastLeftOut },
    next: nextAfter(timing, now),
  };
}

function planAll({ timing, missedWindowMs }: ScheduleSpec, nominalAt: Date, now: Date): FiringPlan {
  const window = new Date(Math.max(nominalAt.getTime(), now.getTime() - missedWindowMs));
  const fire = timesBetween(timing, window, now, MAX_FIRINGS_PER_ROUND);
  const lastLeftOut = window > nominalAt ? lastBetween(timing, nominalAt, new Date(window.getTime() - 1)) : null;
  return {
    fire,
    leftOut: lastLeftOut && { from: nominalAt, to: lastLeftOut },
    next: nextAfter(timing, fire.at(-1) ?? now),
  };
}

/** What a firing does while runs of its schedule have not ended. */
type OverlapDecision = "start" | "skip" | "queue" | "replace";

/** `queued`: an earlier firing already waits for those runs to end. */
export function decideOverlap(overlap: Overlap, active: boolean, queued: boolean): OverlapDecision {
  if (overlap === "allow" || !(active || queued)) return "start";
  if (overlap === "skip" || (overlap === "queue" && queued)) return "skip";
  return queued ? "replace" : "queue";
}
