/** What is known of the data on the screen, and of what brings it. Times are of this browser's clock, in milliseconds. */
export interface HealthFacts {
  nowMs: number;
  /** Something was read; before, nothing is on the screen that could be fresh. */
  hasData: boolean;
  /** Since when the browser has had no network; null: it has one. */
  offlineMs: number | null;
  paused: boolean;
  /** When anything at all came from the console last. */
  heardMs: number;
  /** Since when requests get no answer from the console; null: the last one got one. */
  lostMs: number | null;
  /** When the database answered last. */
  answeredMs: number;
  /** Whether the last that was heard of the database is that it does not answer. */
  silent: boolean;
  /** The read that has been on its way longest; null: none is. */
  waitingMs: number | null;
  /** Of when the oldest data on the screen is whose last read failed; null: none did. */
  failingMs: number | null;
  /** No worker is live, although there are runs. */
  workerless: boolean;
}

/** One state for the whole console. `sinceMs`: of when the data on the screen is, or since when a read is on its way. */
export type Health =
  | { is: "connecting" | "live" | "paused" | "workerless" }
  | { is: "slow" | "stale" | "database" | "console" | "offline"; sinceMs: number };

/** What is over sooner is not worth a word. */
const GRACE_MS = 3_000;
/** Three heartbeats that did not come; and a poll with them, where there are none. */
const QUIET_MS = 20_000;
const SLOW_MS = 3_000;
const STALE_MS = 10_000;

/** From the age of the data, worst cause first. */
export function judgeHealth(facts: HealthFacts): Health {
  const { nowMs, offlineMs, heardMs, lostMs, answeredMs, waitingMs, failingMs } = facts;
  if (offlineMs !== null && nowMs - offlineMs > GRACE_MS) return { is: "offline", sinceMs: heardMs };
  if (facts.paused) return { is: "paused" };
  const isLost = lostMs !== null && nowMs - lostMs > GRACE_MS;
  if (isLost || nowMs - heardMs > QUIET_MS) return { is: "console", sinceMs: heardMs };
  if (facts.silent) return { is: "database", sinceMs: answeredMs };
  const waitedMs = waitingMs === null ? 0 : nowMs - waitingMs;
  if (failingMs !== null) return { is: "stale", sinceMs: failingMs };
  if (waitedMs > STALE_MS) return { is: "stale", sinceMs: waitingMs ?? nowMs };
  if (waitedMs > SLOW_MS) return { is: "slow", sinceMs: waitingMs ?? nowMs };
  if (!facts.hasData) return { is: "connecting" };
  return { is: facts.workerless ? "workerless" : "live" };
}

/** Nothing that is sent now would arrive. */
export const isCutOff = ({ is }: Health): boolean => is === "offline" || is === "console" || is === "database";

export const sameHealth = (a: Health, b: Health): boolean =>
  a.is === b.is && ("sinceMs" in a ? a.sinceMs : 0) === ("sinceMs" in b ? b.sinceMs : 0);
