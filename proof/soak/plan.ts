/** The times of a soak, all of them parts of its length. */
export interface Plan {
  totalMs: number;
  /** How long ended runs are kept. */
  retentionMs: number;
  /** Between two SIGKILLs of a worker. */
  killEveryMs: number;
  /** Between two deploys of a next version. */
  deployEveryMs: number;
  sampleEveryMs: number;
  /** Of the search for the maximum, before the soak. */
  drainMs: number;
  /** After how long another version goes on with runs whose version no worker has. */
  versionWaitMs: number;
  /** Whether thirds are long enough to be compared: retention looks once a minute, and so does autovacuum. */
  hasTrends: boolean;
}

const MINUTE_MS = 60_000;
/** Of a soak whose thirds are compared: each third has four rounds of retention and of autovacuum. */
export const LEAST_MINUTES_OF_TRENDS = 12;

/** Retention and versions take no shorter time. */
const LEAST_MS = 1_000;

export function planOf(minutes: number): Plan {
  if (!(minutes > 0)) throw new Error("--minutes must be more than 0, such as --minutes 60 or --minutes 0.5.");
  const totalMs = minutes * MINUTE_MS;
  const part = (share: number, leastMs = LEAST_MS) => Math.max(leastMs, Math.round(totalMs / share));
  return {
    totalMs,
    retentionMs: part(6),
    killEveryMs: part(20),
    deployEveryMs: part(6),
    sampleEveryMs: part(360),
    drainMs: part(40, 4_000),
    versionWaitMs: part(60),
    hasTrends: minutes >= LEAST_MINUTES_OF_TRENDS,
  };
}
