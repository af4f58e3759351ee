import { HandrailError } from "../engine/errors";
import { OutcomeUnknownError } from "../engine/outcome-unknown-error";
import { decideRetry, NonRetryableError } from "../engine/retry-policy";
import { errorText } from "./error-text";
import type { Pass } from "./pass";
import type { StepPlan } from "./step-plan";
import type { StepState } from "./step-state";

/** What one attempt came to. The phase only says; the interpreter in run-step.ts keeps it. */
export type AttemptOutcome =
  | { next: "completed"; output: unknown }
  | { next: "retry"; delayMs: number; error: unknown; ambiguous: boolean }
  | { next: "failed"; error: unknown }
  /** No attempt is left, and this one (`ambiguous`) or an earlier one may have had its effect; nobody knows. */
  | { next: "unknown"; error: unknown; ambiguous: boolean }
  /** Cut off by a stop of the pass before it could say. */
  | { next: "interrupted"; error: unknown };

/** Runs `body` under the step's timeout and the pass's signal. Never throws. */
export async function attemptBody<Output>(
  pass: Pass,
  state: StepState,
  body: (signal: AbortSignal) => Output | Promise<Output>,
): Promise<AttemptOutcome> {
  const { timeoutMs } = state.plan;
  const timeout = timeoutMs === undefined ? undefined : deadline(state.plan, timeoutMs);
  const signal = timeout ? AbortSignal.any([pass.signal, timeout.signal]) : pass.signal;
  try {
    const running = Promise.resolve(body(signal));
    // A late result of a timed-out attempt changes nothing, and its late failure must not end the process.
    running.catch(() => undefined);
    return { next: "completed", output: await (timeout ? Promise.race([running, timeout.passed]) : running) };
  } catch (error) {
    return classify(pass, state, error);
  } finally {
    timeout?.clear();
  }
}

function deadline(plan: StepPlan, timeoutMs: number) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new HandrailError(
        "step_timed_out",
        `Step "${plan.name}" took longer than its timeout of ${timeoutMs} ms.`,
      );
      controller.abort(error);
      reject(error);
    }, timeoutMs);
  });
  passed.catch(() => undefined);
  return { signal: controller.signal, passed, clear: () => clearTimeout(timer) };
}

function classify(pass: Pass, state: StepState, error: unknown): AttemptOutcome {
  if (pass.signal.aborted && !(error instanceof NonRetryableError)) return { next: "interrupted", error };
  const { plan } = state;
  const ambiguous = plan.leavesDoubt && isAmbiguous(error);
  // The receiver's definite no answers for the earlier attempts with the same key, too.
  if (error instanceof NonRetryableError) state.doubt = null;
  if (ambiguous) state.doubt = errorText(error);
  if (ambiguous && plan.effect === "once") return { next: "unknown", error, ambiguous };
  state.failures++;
  const decision = decideRetry(plan.retry, state.failures, error, Math.random());
  if (decision.retry) return { next: "retry", delayMs: decision.delayMs, error, ambiguous };
  return state.doubt === null ? { next: "failed", error } : { next: "unknown", error, ambiguous };
}

/** Whether the effect may have happened although the body failed. */
const isAmbiguous = (error: unknown): boolean =>
  error instanceof OutcomeUnknownError || (error instanceof HandrailError && error.code === "step_timed_out");
