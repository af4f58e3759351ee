/** Work that may block other work for long: it yields often, and its driver decides at which yield others run. */
export type Parts<Result> = Generator<void, Result, void>;

/** Runs all parts without a pause. */
export function inOneGo<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
