import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./children";
import { say } from "./say";

/** A program that fails at once is tried again at this pace: half a second, doubled up to half a minute. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** Whoever ran this long did start; the next failure is a new story. */
const STEADY_MS = 60_000;

/** Starts a child, and another one whenever it ends, until it is stopped. */
export function keepRunning(start: () => Child): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  let child = start();
  const loop = async () => {
    let delayMs = FIRST_DELAY_MS;
    for (;;) {
      const startedAt = Date.now();
      const how = await child.ended;
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > STEADY_MS) delayMs = FIRST_DELAY_MS;
      say(`The ${child.name} ended (${how}). Another one starts in ${delayMs / 1000} s.`);
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
      child = start();
    }
  };
  const ended = loop();
  return {
    stop: async () => {
      stopping.abort();
      await child.stop();
      await ended;
    },
  };
}
