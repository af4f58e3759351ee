import { setTimeout as delay } from "node:timers/promises";

/** Far longer than any expected wait: reached only when the condition never becomes true. */
const PATIENCE_MS = 40_000;
const LOOK_AGAIN_MS = 10;

/**
 * Polls until the answer is neither undefined, null nor false, and returns it. `what` completes "… did not happen".
 */
export async function until<Answer>(
  what: string,
  ask: () => Answer | Promise<Answer>,
  patienceMs = PATIENCE_MS,
): Promise<NonNullable<Exclude<Answer, false>>> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as NonNullable<Exclude<Answer, false>>;
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${patienceMs} ms.`);
    await delay(LOOK_AGAIN_MS);
  }
}

/** A promise together with its resolver: a test holds a body at a point, and releases it. */
export function gate<Value = void>() {
  let open!: (value: Value) => void;
  let fail!: (error: unknown) => void;
  const opened = new Promise<Value>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { opened, open, fail };
}
