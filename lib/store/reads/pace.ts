/** Runs read on one way, for one page or one number: then it ends, and reports that. */
export const MOST_LOOKED_AT = 2_000;
/** How many of them are read first, if a user waits for the answer. */
export const FIRST_LOOK = 250;
/** The time limit of an interactive read, in milliseconds. */
export const LOOKING_MS = 50;

/**
 * How many more to read, at the pace so far. A run that needs a disk page just for itself costs a thousand times as
 * much as one in memory: so the bound is on time, not on the number. No more than before, for the next ones may be
 * slower. 0: not worth another read.
 */
export function stillToLookAt(looked: number, tookMs: number, budgetMs: number, most = MOST_LOOKED_AT): number {
  const more = Math.min(looked, most - looked, Math.floor(looked * (budgetMs / tookMs - 1)));
  return more < FIRST_LOOK ? 0 : more;
}
