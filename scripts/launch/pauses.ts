const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A program that ran this long had started well: its next end has another cause. */
const STEADY_MS = 60_000;

/** Pauses before restarts: none before the first, then half a second, doubled up to half a minute. */
export class Pauses {
  private ends = 0;

  /** In milliseconds. @param livedMs how long the program ran before it ended; more than a minute resets the count */
  next(livedMs: number): number {
    if (livedMs > STEADY_MS) this.ends = 0;
    const pause = this.ends === 0 ? 0 : Math.min(FIRST_MS * 2 ** (this.ends - 1), LONGEST_MS);
    this.ends += 1;
    return pause;
  }
}

/** "at once" or "in 4 s", for a sentence about a restart. */
export function inWords(pauseMs: number): string {
  return pauseMs === 0 ? "at once" : `in ${pauseMs / 1_000} s`;
}
