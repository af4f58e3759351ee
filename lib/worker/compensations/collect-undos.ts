import type { AppServices, Workflow } from "../../engine/workflows/workflow";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import type { StepPlan } from "../steps/step-plan";
import { rehearse } from "../versions/rehearse";

const LONGEST_PAUSE_MS = 5_000;

/** A step's compensation is declared with the step in code, so the workflow's code runs once more to find it. */
export async function collectUndos(
  run: ClaimedRun,
  workflow: Workflow,
  services: AppServices,
  wanted: readonly string[],
): Promise<Map<string, StepPlan>> {
  const missing = new Set(wanted);
  const enough = ({ name }: StepPlan) => missing.delete(name) && missing.size === 0;
  return (await rehearse(run, workflow, services, { pauseMs: LONGEST_PAUSE_MS, enough })).met;
}
