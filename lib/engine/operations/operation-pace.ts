// Apart from the rules of operations, for browsers load it.

/** Items a second, unless somebody chooses: an operator can still follow, and stop. */
export const DEFAULT_RATE_PER_SECOND = 20;
export const MAX_RATE_PER_SECOND = 1_000;
/** Items that are carried out before anybody judges. */
export const DEFAULT_CANARY = 5;
export const MAX_CANARY = 1_000;
