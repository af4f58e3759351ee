import { LONGEST_MS } from "../../engine/duration";
import { decideRetry, type RetryDecision, type RetryPolicy } from "../../engine/steps/retry-policy";

/** The policy's decision, whatever its author's code and the error's delay may be. */
export function nextAttempt(policy: RetryPolicy, failures: number, error: unknown): RetryDecision {
  const decision = decide(policy, failures, error);
  if (!decision.retry) return decision;
  const delayMs = Number.isNaN(decision.delayMs) ? 0 : Math.min(decision.delayMs, LONGEST_MS);
  return { retry: true, delayMs };
}

function decide(policy: RetryPolicy, failures: number, error: unknown): RetryDecision {
  try {
    return decideRetry(policy, failures, error, Math.random());
  } catch {
    // A `retryIf` that throws has not said yes, and must not hide the body's error.
    return { retry: false };
  }
}
