import { performance } from "node:perf_hooks";
import type { Call } from "./calls";
import type { Facts } from "./facts";

/** Of one call at one size, in milliseconds. */
export interface Took {
  name: string;
  /** The first request, after a long idle time. */
  first: number;
  p50: number;
  p95: number;
}

const TOO_BUSY = 503;

export type Ask = (path: string) => Promise<Response>;

export const timesOf = (ask: Ask, facts: Facts, call: Call, times: number): Promise<Took> =>
  tookOf(call.name, times, async (at) => {
    const response = await ask(call.path(facts, at));
    const text = await response.text();
    // A database timeout still counts with its duration.
    if (response.status !== 200 && response.status !== TOO_BUSY)
      throw new Error(`${call.name}: ${call.path(facts, at)} answered ${response.status} ${text}`);
  });

/** @param times after a first one */
export async function tookOf(name: string, times: number, work: (at: number) => Promise<unknown>): Promise<Took> {
  const took: number[] = [];
  for (let at = 0; at <= times; at++) {
    const since = performance.now();
    await work(at);
    took.push(performance.now() - since);
  }
  return summaryOf(name, took);
}

/** @param took the first of them is left out of the percentiles */
export function summaryOf(name: string, took: readonly number[]): Took {
  const [first, ...rest] = took as [number, ...number[]];
  const sorted = rest.sort((a, b) => a - b);
  const part = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
  return { name, first, p50: part(0.5), p95: part(0.95) };
}
