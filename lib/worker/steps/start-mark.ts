import { faultPoint } from "../fault-points";
import type { Pass } from "../passes/pass";
import type { StepState } from "./step-state";

/** A body that still runs after this long gets a row, so that people see it. Shorter ones only have their outcome. */
const MARK_AFTER_MS = 25;

/** The start of a `once` step is durable before its body. */
export async function markFirst(pass: Pass, state: StepState): Promise<void> {
  await faultPoint("step:before-start-mark", state.plan.name);
  await pass.keep({ step: state.row("running") });
  await faultPoint("step:after-start-mark", state.plan.name);
}

/**
 * Goes with a flush, if the body lasts that long. The returned function ends the wait, and withdraws an unsent mark.
 */
export function markWhenLong(pass: Pass, state: StepState): () => void {
  let unsend: (() => void) | undefined;
  const timer = setTimeout(() => {
    unsend = pass.mention({ step: state.row("running") });
  }, MARK_AFTER_MS);
  return () => {
    clearTimeout(timer);
    unsend?.();
  };
}
