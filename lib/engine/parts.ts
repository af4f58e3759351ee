/** Work that may take longer than others should wait: it pauses often, and who drives it decides at which pause others go first. */
export type Parts<Result> = Generator<void, Result, void>;

/** All of it, without a pause. */
export function inOneGo<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
