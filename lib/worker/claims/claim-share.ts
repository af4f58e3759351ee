/** One claim takes no more, so that its checkpoints arrive together. */
const MAX_CLAIM = 200;
/**
 * Of this, a worker takes only its share at once, to leave some for others that woke with it; but this many are worth a
 * claim.
 */
const MIN_SHARE = 20;

/** How many runs one claim takes at most. `sharers`: workers that compete for the same work. */
export const shareOf = (sharers: number): number => Math.max(Math.ceil(MAX_CLAIM / sharers), MIN_SHARE);
