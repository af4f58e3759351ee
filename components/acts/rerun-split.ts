import type { Run, Step } from "@/lib/api/contract/run";

export interface RerunSplit {
  /** They stand as they are, and the rerun builds on them. */
  kept: Step[];
  /** Their results are set aside; they run again. */
  again: Step[];
}

type Rerunnable = Pick<Run, "steps" | "failedStep" | "status">;

/** The steps whose results stand, in the order in which they were first met. */
export const standingSteps = (steps: Step[]): Step[] =>
  steps.filter((step) => step.supersededBy === null).sort((a, b) => a.position - b.position);

/** From the failed step of a failed run only what failed runs again; what ran beside it keeps its result. */
export const isFromFailure = (run: Rerunnable, fromStep: string) =>
  run.status === "failed" && run.failedStep === fromStep;

/** What a rerun keeps and what it runs again. The code may catch a failure: one before the chosen step is a result like any other. */
export function splitRerun(run: Rerunnable, fromStep: string): RerunSplit {
  const standing = standingSteps(run.steps);
  const from = standing.find((step) => step.name === fromStep);
  const onlyFailed = isFromFailure(run, fromStep);
  const runsAgain = (step: Step) =>
    from !== undefined && step.position >= from.position && (!onlyFailed || step.status === "failed");
  return { kept: standing.filter((step) => !runsAgain(step)), again: standing.filter(runsAgain) };
}

/** Among them, those that nothing protects from happening a second time. */
export function unprotected(again: Step[], freshKeys: boolean): Step[] {
  const happened = (step: Step) => step.status === "completed";
  return again.filter(
    (step) => happened(step) && (step.effect === "once" || (freshKeys && step.effect === "idempotent")),
  );
}
