import { OutcomeUnknownError } from "../engine/steps/outcome-unknown-error";
import { NonRetryableError, RetryAfterError } from "../engine/steps/retry-policy";
import type { SerializedError } from "../engine/values/serialized-error";

/** A failure as another language reports it. */
export interface ReportedError extends Pick<SerializedError, "name" | "message"> {
  code?: string;
  stack?: string;
  cause?: ReportedError;
}

/** How the author classifies the failure. */
export interface Verdict {
  /** False: a permanent failure, which also settles doubts about earlier attempts. Default true. */
  retryable?: boolean;
  /** Retried after exactly this many milliseconds, if attempts are left. */
  retryAfterMs?: number;
  /** The effect may have happened although the body failed. */
  mayHaveHappened?: boolean;
}

/** The error that a TypeScript body would have thrown for the same: the engine's rules check its class. */
export function reportedError(reported: ReportedError, verdict: Verdict = {}): Error {
  const error = errorOf(reported, verdict);
  const { name, code, stack, cause } = reported;
  Object.defineProperty(error, "name", { value: name, configurable: true });
  // The stack of this process says nothing about a body elsewhere.
  Object.defineProperty(error, "stack", { value: stack, configurable: true });
  return Object.assign(error, code !== undefined && { code }, cause && { cause: reportedError(cause) });
}

function errorOf(
  { message }: ReportedError,
  { retryable = true, retryAfterMs, mayHaveHappened = false }: Verdict,
): Error {
  if (mayHaveHappened) return new OutcomeUnknownError(message);
  if (!retryable) return new NonRetryableError(message);
  return retryAfterMs === undefined ? new Error(message) : new RetryAfterError(message, retryAfterMs);
}
