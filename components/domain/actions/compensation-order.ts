import { standingSteps } from "@/components/domain/run/rerun-split";
import type { Run, Step } from "@/lib/api/contract/run";

const FAR = Number.MAX_SAFE_INTEGER;
const endOf = (step: Step) => (step.finishedAt ? Date.parse(step.finishedAt) : FAR);

/** The open compensations of the run, in order: the step that ended last is first. */
export function compensationOrder(run: Pick<Run, "steps" | "status">): Step[] {
  const open = (step: Step) =>
    run.status === "compensating"
      ? step.compensation.status === "failed"
      : step.compensation.status !== "completed" && step.compensation.status !== "waived";
  return standingSteps(run.steps)
    .filter((step) => step.status === "completed" && step.compensation.mode !== "none" && open(step))
    .sort((a, b) => endOf(b) - endOf(a) || b.position - a.position);
}
