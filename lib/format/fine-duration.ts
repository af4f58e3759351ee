import { formatDuration } from "../format";

/** Requests and statements take fractions of a millisecond: `0.4 ms`, then as `formatDuration`. */
export const formatFineDuration = (ms: number): string =>
  ms < 10 ? `${Math.round(ms * 10) / 10} ms` : formatDuration(ms);
