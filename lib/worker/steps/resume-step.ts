import { WORKER_LOST } from "../../store/steps/cut-off-steps";
import type { ClaimedStep } from "../../store/workers/claim-runs";
import { type Kept, keepUnknown } from "./keep-outcome";
import type { StepClaim } from "./step-claim";
import type { StepState } from "./step-state";

/** How this claim continues a step that an earlier claim began. */
export async function resumeStep(claim: StepClaim, state: StepState, row: ClaimedStep): Promise<Kept | undefined> {
  if (row.status === "waiting") {
    if (state.effect === "once" && state.doubt !== null) {
      // What it did was done under an effect that allowed a repetition, and this build's does not.
      state.recall(row);
      return keepUnknown(claim, state, undefined, row.workerId);
    }
    if (state.plan.limits && row.error === null) {
      // It waited for a permit, not for a retry after an error, and may have been called.
      state.recall(row);
      return undefined;
    }
    const dueInMs = row.dueInMs ?? 0;
    return dueInMs > 0 ? { next: "waiting", dueAt: row.dueAt, dueInMs } : undefined;
  }
  state.recall(row);
  if (row.status === "unknown") return { next: "unknown", error: row.error ?? WORKER_LOST };
  // Its worker was lost in the body: the body's effect is unknown.
  if (state.leavesDoubt) state.doubt = WORKER_LOST;
  if (state.effect === "once") return keepUnknown(claim, state, undefined, row.workerId);
  await claim.keep({
    attempt: state.attemptRow(state.leavesDoubt ? "unknown" : "interrupted", WORKER_LOST, row.workerId),
  });
  return undefined;
}
