/** Runs that are looked at on one way, for one page or one number: then it ends, and says so. */
export const MOST_LOOKED_AT = 2_000;
/** How many of them are looked at first, where somebody waits for the answer. */
export const FIRST_LOOK = 250;
/** For what somebody waits for, in milliseconds. */
export const LOOKING_MS = 50;

/**
 * How many more are looked at, at the pace so far. A run that lies by itself takes the disk a thousand times as long as one that is in
 * memory: so the time is kept, and not the number. No more than there were before, for the next ones may lie elsewhere. 0: it is not worth
 * asking again.
 */
export function stillToLookAt(looked: number, tookMs: number, budgetMs: number): number {
  const more = Math.min(looked, MOST_LOOKED_AT - looked, Math.floor(looked * (budgetMs / tookMs - 1)));
  return more < FIRST_LOOK ? 0 : more;
}
