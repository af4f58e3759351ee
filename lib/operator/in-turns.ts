import type { Parts } from "../engine/parts";

/** Work in parts blocks the event loop for about this long at a time. */
const TURN_MS = 8;

const waiting: (() => void)[] = [];
/** When work in parts began in this turn of the event loop; undefined before any. */
let began: number | undefined;

const forget = () => {
  began = undefined;
};

/** One turn's time is shared by all work in it: of one request after the other, and of several at once. */
function beginTurn(): number {
  if (began !== undefined) return began;
  setImmediate(forget);
  began = performance.now();
  return began;
}

const turnIsOver = () => performance.now() - beginTurn() >= TURN_MS;

function nextGoes(): void {
  forget();
  beginTurn();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextGoes);
}

/** Lets everything else run first: I/O, and other waiters. One waiter continues per turn of the event loop. */
function aTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(nextGoes);
  });
}

/** Awaited between parts of long work: yields the event loop every few milliseconds. */
export async function pause(): Promise<void> {
  if (turnIsOver()) await aTurn();
}

/** Does all parts of the work, yielding the event loop every few milliseconds. */
export async function inTurns<Result>(parts: Parts<Result>): Promise<Result> {
  beginTurn();
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
    if (turnIsOver()) await aTurn();
  }
}
