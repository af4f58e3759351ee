import { HandrailError } from "../../engine/errors";
import type { BodyAborts } from "./body-aborts";
import {
  type CompletedRow,
  completedRow,
  encodedOutput,
  type Kept,
  keepFailure,
  keepWaiting,
  storedOutput,
} from "./keep-outcome";
import { withinLimits } from "./limits";
import { nextAttempt } from "./next-attempt";
import { runBody } from "./running-body";
import type { StepClaim } from "./step-claim";
import type { StepState } from "./step-state";

/** When the provider does not answer by then, a person resolves the step. */
const ASK_TIMEOUT_MS = 10_000;

/**
 * Asks the provider to resolve a step with an unknown outcome, if its author has said how. A step that did not happen
 * is retried by its policy; one whose provider could not be asked stays unknown.
 */
export async function reconcile(
  claim: StepClaim,
  bodies: BodyAborts,
  state: StepState,
  error: string,
): Promise<Kept | undefined> {
  const answer = await ask(claim, bodies, state);
  if (answer === undefined) return { next: "unknown", error };
  if (answer !== "did not happen") {
    await claim.keep({ step: answer.row, attempt: state.attemptRow("unknown", error) });
    return { next: "completed", output: answer.output };
  }
  state.doubt = null;
  // A confirmed failure is a failure like any other. A body whose worker was lost has not failed.
  const { retry } = state.plan;
  const attempt = state.attemptRow("failed", error);
  if (state.failures >= retry.maxAttempts) return keepFailure(claim, state, error);
  const decision = nextAttempt({ ...retry, retryIf: () => true }, state.failures, undefined);
  const inMs = state.failures > 0 && decision.retry ? decision.delayMs : 0;
  return keepWaiting(claim, state, attempt, state.row("waiting", { error, next: { inMs } }));
}

/** The step's row when the provider confirms that it happened. */
async function ask(
  claim: StepClaim,
  bodies: BodyAborts,
  state: StepState,
): Promise<{ row: CompletedRow; output: string } | "did not happen" | undefined> {
  const { reconcile: askReceiver, name } = state.plan;
  if (!askReceiver) return undefined;
  try {
    const { idempotencyKey } = state;
    // One that ignores its signal is not waited for either.
    const answer = await withinLimits(bodies, { ...state.plan, timeoutMs: ASK_TIMEOUT_MS }, ({ signal }) =>
      runBody({ kind: "reconcile", step: name }, () => askReceiver({ idempotencyKey, signal })),
    );
    if (answer?.happened === false) return "did not happen";
    if (answer?.happened === true) {
      const output = encodedOutput(claim, state, answer.output);
      const stored = await storedOutput(claim, state, output);
      return { row: { ...completedRow(state, answer.output, stored), doubt: null }, output };
    }
    throw new HandrailError(
      "invalid_workflow",
      `reconcile of step "${name}" must return { happened: true, output } or { happened: false }.`,
    );
  } catch {
    // No outcome either: the step stays unknown, and a person may ask again.
    return undefined;
  }
}
