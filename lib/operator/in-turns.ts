import type { Parts } from "../engine/parts";

/** Work in parts blocks the event loop for about this long at a time. */
const TURN_MS = 8;

const waiting: (() => void)[] = [];

function nextGoes(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextGoes);
}

/** Lets everything else run first: I/O, and other waiters. One waiter continues per turn of the event loop. */
export function aTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(nextGoes);
  });
}

/** Awaited between parts of long work: yields the event loop every few milliseconds. */
export function turns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN_MS) return;
    await aTurn();
    began = performance.now();
  };
}

/** Does all parts of the work, yielding the event loop every few milliseconds. */
export async function inTurns<Result>(parts: Parts<Result>): Promise<Result> {
  for (let began = performance.now(); ; ) {
    const { done, value } = parts.next();
    if (done) return value;
    if (performance.now() - began < TURN_MS) continue;
    await aTurn();
    began = performance.now();
  }
}
