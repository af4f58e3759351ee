import { NonRetryableError, RetryAfterError } from "../engine/steps/retry-policy";

/** Compensations are found by the step's name up to a colon. */
export const stemOf = (step: string): string => step.split(":", 1)[0] ?? step;

/** What an error of a body or of a compensation says beside that it failed. */
export const verdictOf = (error: unknown) => ({
  retryable: !(error instanceof NonRetryableError),
  ...(error instanceof RetryAfterError && { retryAfterMs: error.delayMs }),
});
