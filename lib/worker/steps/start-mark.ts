import type { Claim } from "../claims/claim";
import { faultPoint } from "../fault-points";
import type { StepState } from "./step-state";

/** A body that still runs after this long gets a row, so that people see it. Shorter ones only have their outcome. */
const MARK_AFTER_MS = 25;

/** The start of a `once` step is durable before its body. */
export async function markFirst(claim: Claim, state: StepState): Promise<void> {
  await faultPoint("step:before-start-mark", state.plan.name);
  await claim.keep({ step: state.row("running") });
  await faultPoint("step:after-start-mark", state.plan.name);
}

/**
 * Goes with a flush, if the body lasts that long. The returned function ends the wait, and withdraws an unsent mark.
 */
export function markWhenLong(claim: Claim, state: StepState): () => void {
  let unsend: (() => void) | undefined;
  const timer = setTimeout(() => {
    unsend = claim.mention({ step: state.row("running") });
  }, MARK_AFTER_MS);
  return () => {
    clearTimeout(timer);
    unsend?.();
  };
}
