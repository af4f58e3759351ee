const FIRST_MS = 50;
const MAX_MS = 2_000;

/** Delay after the n-th failure in a row (from 0): doubling, capped, with jitter, so that loops do not synchronize. */
export function backoffMs(failures: number): number {
  return Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures, 16)) * (0.75 + Math.random() / 2);
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
