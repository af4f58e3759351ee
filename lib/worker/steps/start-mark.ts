import type { Claim } from "../claims/claim";
import { faultPoint } from "../fault-points";
import type { StepClaim } from "./step-claim";
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
 * Goes with a flush, if the body, or the blob store after it, takes that long. The returned function ends the wait, and withdraws
 * an unsent mark. That of a `once` step is there before.
 */
export function markWhenLong(claim: Pick<StepClaim, "mention">, state: StepState): () => void {
  if (state.effect === "once") return () => undefined;
  let unsend: (() => void) | undefined;
  const timer = setTimeout(() => {
    unsend = claim.mention?.({ step: state.row("running") });
  }, MARK_AFTER_MS);
  return () => {
    clearTimeout(timer);
    unsend?.();
  };
}
