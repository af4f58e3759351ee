import { OutcomeUnknownError } from "../engine/steps/outcome-unknown-error";
import { NonRetryableError, RetryAfterError } from "../engine/steps/retry-policy";
import type { SerializedError } from "../engine/values/serialized-error";

/** A failure as another language tells of it. */
export interface ToldError extends Pick<SerializedError, "name" | "message"> {
  code?: string;
  stack?: string;
  cause?: ToldError;
}

/** What the author makes of the failure. */
export interface Verdict {
  /** False: it failed for good, and that settles any doubt about earlier attempts. Default true. */
  retryable?: boolean;
  /** Tried again after exactly so many milliseconds, if attempts are left. */
  retryAfterMs?: number;
  /** The effect may have happened although the body failed. */
  mayHaveHappened?: boolean;
}

/** The error that a body of this language would have thrown to say the same: the engine's rules look at its class. */
export function errorTold(told: ToldError, verdict: Verdict = {}): Error {
  const error = errorOf(told, verdict);
  const { name, code, stack, cause } = told;
  Object.defineProperty(error, "name", { value: name, configurable: true });
  // The stack of this process says nothing about a body elsewhere.
  Object.defineProperty(error, "stack", { value: stack, configurable: true });
  return Object.assign(error, code !== undefined && { code }, cause && { cause: errorTold(cause) });
}

function errorOf({ message }: ToldError, { retryable = true, retryAfterMs, mayHaveHappened = false }: Verdict): Error {
  if (mayHaveHappened) return new OutcomeUnknownError(message);
  if (!retryable) return new NonRetryableError(message);
  return retryAfterMs === undefined ? new Error(message) : new RetryAfterError(message, retryAfterMs);
}
