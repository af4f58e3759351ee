import type { Look } from "@/components/parts/status/look";
import type { Compensation, Step } from "@/lib/api/contract/run";
import type { CompensationStatus } from "@/lib/engine/compensations/compensation";
import type { AttemptStatus, StepStatus } from "@/lib/engine/steps/step";

export const STEP_LOOKS = {
  running: { shape: "spinner", word: "Running", tone: "blue" },
  waiting: { shape: "clock", word: "Waiting", tone: "violet" },
  completed: { shape: "check", word: "Completed", tone: "green" },
  failed: { shape: "octagon", word: "Failed", tone: "red" },
  unknown: { shape: "question", word: "Outcome unknown", tone: "red" },
  skipped: { shape: "skip", word: "Skipped", tone: "quiet" },
} as const satisfies Record<StepStatus, Look>;

const RETRYING: Look = { shape: "loop", word: "Retrying", tone: "amber" };
const ASKING: Look = { shape: "person", word: "Waiting for an answer", tone: "amber" };
const SUPERSEDED: Look = { shape: "slash", word: "Superseded by a rerun", tone: "quiet" };

/**
 * A step that waits for its next attempt is retrying; one that asks needs attention; a superseded one no longer does.
 */
export function lookOfStep(step: Pick<Step, "status" | "kind" | "supersededBy">): Look {
  if (step.supersededBy !== null) return SUPERSEDED;
  if (step.status === "waiting" && step.kind === "approval") return ASKING;
  const tries = step.kind === "step" || step.kind === "transaction";
  return step.status === "waiting" && tries ? RETRYING : STEP_LOOKS[step.status];
}

/** A failed attempt does not need attention: the step's own status says whether it does. */
export const ATTEMPT_LOOKS = {
  running: { shape: "spinner", word: "Running", tone: "blue" },
  completed: { shape: "check", word: "Completed", tone: "green" },
  failed: { shape: "octagon", word: "Failed", tone: "amber" },
  unknown: { shape: "question", word: "Unknown", tone: "red" },
  interrupted: { shape: "slash", word: "Interrupted", tone: "quiet" },
} as const satisfies Record<AttemptStatus, Look>;

export const COMPENSATION_LOOKS = {
  none: { shape: "dashes", word: "Nothing to compensate", tone: "quiet" },
  owed: { shape: "back-open", word: "Pending compensation", tone: "amber" },
  running: { shape: "spinner", word: "Compensating", tone: "blue" },
  completed: { shape: "back-done", word: "Compensated", tone: "quiet" },
  failed: { shape: "octagon", word: "Compensation failed", tone: "red" },
  waived: { shape: "skip", word: "Waived", tone: "quiet" },
} as const satisfies Record<CompensationStatus, Look>;

const MANUAL: Look = { shape: "person", word: "Manual compensation", tone: "red" };

/** A manual compensation waits for an operator; what the code can compensate waits for a worker. */
export function lookOfCompensation({ mode, status }: Pick<Compensation, "mode" | "status">): Look {
  return status === "owed" && mode === "manual" ? MANUAL : COMPENSATION_LOOKS[status];
}
