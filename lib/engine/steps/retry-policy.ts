import { markedClass } from "../copies";
import { type ErrorCode, HandrailError } from "../errors";

/** When a failed attempt is retried. */
export interface RetryPolicy {
  /** Failed bodies before the step fails; at least 1. Default 4. */
  maxAttempts: number;
  /** Delay after the first failure, in milliseconds. Default 1,000. */
  initialDelayMs: number;
  /** Growth of the delay per failure; at least 1. Default 2. */
  factor: number;
  /** Longest delay, in milliseconds. Default 60,000. */
  maxDelayMs: number;
  /** Largest random change of the delay, as a share of it, 0 to 1, to spread runs that failed together. Default 0.2. */
  jitter: number;
  /** Return false to fail at once. Called with what the body threw. */
  retryIf?: (error: unknown) => boolean;
}

export const DEFAULT_RETRY: RetryPolicy = {
  maxAttempts: 4,
  initialDelayMs: 1_000,
  factor: 2,
  maxDelayMs: 60_000,
  jitter: 0.2,
};

/** Throw it from a body to fail the step at once, regardless of its policy. */
export class NonRetryableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "NonRetryableError";
  }
}

/** Throw it from a body to retry after exactly `delayMs` (such as a provider's Retry-After), if attempts are left. */
export class RetryAfterError extends Error {
  readonly delayMs: number;

  constructor(message: string, delayMs: number, options?: ErrorOptions) {
    super(message, options);
    this.name = "RetryAfterError";
    this.delayMs = Math.max(0, delayMs);
  }
}

export const isNonRetryable = markedClass(NonRetryableError, "NonRetryableError");
export const isRetryAfter = markedClass(RetryAfterError, "RetryAfterError");

/** Codes of Handrail's errors that may be transient, those of calls that a body makes among them. */
const MAY_PASS: ReadonlySet<ErrorCode> = new Set([
  "step_timed_out",
  "transaction_aborted",
  "throttled",
  "singleton_conflict",
  "too_busy",
  "too_many_attempts",
  "unavailable",
  "wait_timed_out",
]);

/** Whether the error also ends the step if its body was being stopped: retrying could do harm, or was refused. */
export const isFinal = (error: unknown): boolean =>
  isNonRetryable(error) || (error instanceof HandrailError && error.code === "transaction_ended");

export type RetryDecision = { retry: true; delayMs: number } | { retry: false };

/**
 * @param failures failed bodies of this repair generation so far, this one included
 * @param random a number from 0 to 1, drawn by the caller, so that the rules are deterministic
 */
export function decideRetry(policy: RetryPolicy, failures: number, error: unknown, random: number): RetryDecision {
  if (failures >= policy.maxAttempts || isNonRetryable(error)) return { retry: false };
  // The codec's refusals and a body's misuse of the API are permanent.
  if (error instanceof HandrailError && !MAY_PASS.has(error.code)) return { retry: false };
  if (policy.retryIf && !policy.retryIf(error)) return { retry: false };
  if (isRetryAfter(error)) return { retry: true, delayMs: error.delayMs };
  const delay = Math.min(policy.maxDelayMs, policy.initialDelayMs * policy.factor ** (failures - 1));
  const delayMs = Math.round(delay * (1 + policy.jitter * (2 * random - 1)));
  return { retry: true, delayMs: Math.max(delayMs, notBefore(error)) };
}

/** Milliseconds after which a refused call may be taken, as a throttle says. */
function notBefore(error: unknown): number {
  const { retryAfterMs } = error instanceof HandrailError ? error.details : {};
  return typeof retryAfterMs === "number" ? retryAfterMs : 0;
}

/** A column of type integer holds more; with a pause of a minute these take two years. */
export const MOST_ATTEMPTS = 1_000_000;

/** @throws HandrailError `invalid_workflow` naming the field that is out of bounds. */
export function withRetryDefaults(base: RetryPolicy, given: Partial<RetryPolicy> | undefined): RetryPolicy {
  if (given === undefined) return base;
  const policy = { ...base, ...given };
  const refuse = (field: string, bounds: string) => {
    throw new HandrailError("invalid_workflow", `retry.${field} must be ${bounds}.`);
  };
  if (!Number.isInteger(policy.maxAttempts) || policy.maxAttempts < 1 || policy.maxAttempts > MOST_ATTEMPTS)
    refuse("maxAttempts", `a whole number from 1 to ${MOST_ATTEMPTS}`);
  if (!(policy.initialDelayMs >= 0)) refuse("initialDelayMs", "0 or more milliseconds");
  if (!(policy.factor >= 1)) refuse("factor", "1 or more");
  if (!(policy.maxDelayMs >= 0)) refuse("maxDelayMs", "0 or more milliseconds");
  if (!(policy.jitter >= 0 && policy.jitter <= 1)) refuse("jitter", "from 0 to 1");
  return policy;
}
