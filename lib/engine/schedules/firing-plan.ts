import type { Overlap, ScheduleSpec } from "./schedule";
import { lastBetween, nextAfter, timesBetween } from "./timing";

/** A nominal time that passed this long ago was not missed: somebody was there, and busy. */
const ON_TIME_MS = 60_000;
/** More than these wait for the next round, so that a round stays short. */
export const MAX_FIRINGS_PER_ROUND = 100;

/** What is to be done about the nominal times of a schedule that have come. */
interface FiringPlan {
  /** To be fired, in order. */
  fire: Date[];
  /** Nominal times that the missed policy leaves out: from the first to the last. */
  leftOut: { from: Date; to: Date } | null;
  /** The next nominal time to look at; it has passed already when there were more than fit into one round. */
  next: Date;
}

/** `nominalAt` is the first nominal time that nobody has looked at yet; `now` is the database's. */
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

/** `queued`: an earlier firing waits for the end of those runs already. */
export function decideOverlap(overlap: Overlap, active: boolean, queued: boolean): OverlapDecision {
  if (overlap === "allow" || !(active || queued)) return "start";
  if (overlap === "skip" || (overlap === "queue" && queued)) return "skip";
  return queued ? "replace" : "queue";
}
