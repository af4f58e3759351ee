import { HandrailError } from "../../engine/errors";
import { isOutcomeUnknown } from "../../engine/steps/outcome-unknown-error";
import { isFinal, isNonRetryable } from "../../engine/steps/retry-policy";
import { isBlobUnavailable } from "../../engine/values/blob";
import { isThenable } from "../passes/promises";
import type { Rest } from "../passes/rest";
import type { StopReason } from "../passes/stop-reason";
import { errorText } from "./error-text";
import { type Limits, withinLimits } from "./limits";
import { nextAttempt } from "./next-attempt";
import type { StepState } from "./step-state";

/** The outcome of one attempt. The phase only reports it; the interpreter in keep-outcome.ts records it. */
export type AttemptOutcome =
  | { next: "completed"; output: unknown }
  | { next: "retry"; delayMs: number; error: unknown; ambiguous: boolean }
  | { next: "failed"; error: unknown }
  /**
   * No attempt is left, and this one (`ambiguous`) or an earlier one may have had its effect; the outcome is unknown.
   */
  | { next: "unknown"; error: unknown; ambiguous: boolean }
  /** Interrupted by a stop of the pass before its outcome. */
  | { next: "interrupted"; error: unknown; by: StopReason | undefined };

/** Runs `body` under the step's timeout and the pass's signal. Never throws. The outcome of one that is not async comes at once. */
export function attemptBody<Output>(
  rest: Rest,
  state: StepState,
  body: (limits: Limits) => Output | Promise<Output>,
): AttemptOutcome | Promise<AttemptOutcome> {
  let aborted = () => rest.bodies.because;
  const bodyHasEnded = () => {
    // An abort after the body's own failure, while code around it goes on, interrupts nothing.
    const before = rest.bodies.because;
    aborted = () => before;
  };
  const failed = (error: unknown): AttemptOutcome => {
    if (aborted() && !isFinal(error)) return { next: "interrupted", error, by: rest.stopReason };
    // Of a transaction, which has rolled back with it.
    if (isBlobUnavailable(error)) return { next: "interrupted", error, by: rest.stopReason };
    return classify(state, error);
  };
  try {
    const output = withinLimits(rest.bodies, state.plan, body, bodyHasEnded);
    return isThenable(output) ? output.then(completed, failed) : completed(output);
  } catch (error) {
    return failed(error);
  }
}

const completed = (output: unknown): AttemptOutcome => ({ next: "completed", output });

/** What the failure of a body that nothing interrupted means for its step. */
export function classify(state: StepState, error: unknown): AttemptOutcome {
  const { plan } = state;
  const ambiguous = state.leavesDoubt && isAmbiguous(error);
  // The provider's definite no also answers for the earlier attempts with the same key.
  if (isNonRetryable(error)) state.doubt = null;
  if (ambiguous) state.doubt = errorText(error);
  state.failures++;
  if (ambiguous && state.effect === "once") return { next: "unknown", error, ambiguous };
  const decision = nextAttempt(plan.retry, state.failures, error);
  if (decision.retry) return { next: "retry", delayMs: decision.delayMs, error, ambiguous };
  return state.doubt === null ? { next: "failed", error } : { next: "unknown", error, ambiguous };
}

/** Whether the effect may have happened although the body failed. */
const isAmbiguous = (error: unknown): boolean =>
  isOutcomeUnknown(error) || (error instanceof HandrailError && error.code === "step_timed_out");
