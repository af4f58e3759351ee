/** Work that may block other work for long: it yields often, and its driver decides at which yield others run. */
export type Parts<Result> = Generator<void, Result, void>;

/** Awaited between two pieces of work, so that other work can run. */
export type Pause = () => Promise<void>;

/** Runs all parts with a pause between them. */
export async function withPauses<Result>(parts: Parts<Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
    await pause();
  }
}

/** Runs all parts without a pause. */
export function inOneGo<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
