import { HandrailError } from "../engine/errors";
import type { Reconciliation } from "../engine/workflow";
import { completedRow, type Kept, keepFailure } from "./keep-outcome";
import type { Pass } from "./pass";
import type { StepState } from "./step-state";

/** A receiver that does not answer by then leaves the question to a person. */
const ASK_TIMEOUT_MS = 10_000;

/**
 * Asks the receiver what became of a step with an unknown outcome, where its author said how. Gives undefined when the step
 * did not happen and may be tried again; stays unknown when the receiver could not be asked.
 */
export async function reconcile(pass: Pass, state: StepState, error: string): Promise<Kept | undefined> {
  const answer = await ask(pass, state);
  if (answer === undefined) return { next: "unknown", error };
  if (answer.happened) {
    const step = completedRow(state, answer.output);
    await pass.keep({ step, attempt: state.attemptRow("unknown", error) });
    return { next: "completed", output: step.output };
  }
  state.doubt = null;
  if (state.failures >= state.plan.retry.maxAttempts) return keepFailure(pass, state, error);
  await pass.keep({ attempt: state.attemptRow("failed", error) });
  return undefined;
}

async function ask(pass: Pass, state: StepState): Promise<Reconciliation<unknown> | undefined> {
  const { reconcile: askReceiver, name } = state.plan;
  if (!askReceiver) return undefined;
  try {
    const signal = AbortSignal.any([pass.signal, AbortSignal.timeout(ASK_TIMEOUT_MS)]);
    const answer = await askReceiver({ idempotencyKey: state.idempotencyKey, signal });
    if (typeof answer?.happened === "boolean") return answer;
    throw new HandrailError(
      "invalid_workflow",
      `reconcile of step "${name}" must return { happened: true, output } or { happened: false }.`,
    );
  } catch {
    // No outcome either: the question stays open, and a person may have it asked again.
    return undefined;
  }
}
