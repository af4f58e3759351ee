/** Within the grace of a worker, and far longer than it takes to be stopped by force. */
export const BODY_MS = 3_000;
