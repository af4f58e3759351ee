// Separate from the rules of operations, because browsers load it.

/** Default of items a second: slow enough for an operator to follow and stop. */
export const DEFAULT_RATE_PER_SECOND = 20;
export const MAX_RATE_PER_SECOND = 1_000;
/** Items that are executed before the first judgement. */
export const DEFAULT_CANARY = 5;
export const MAX_CANARY = 1_000;
