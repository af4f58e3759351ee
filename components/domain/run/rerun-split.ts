import type { Run, Step } from "@/lib/api/contract/run";
import { isRepeatable } from "@/lib/engine/runs/operator-acts";

export interface RerunSplit {
  /** Their results are kept, and the rerun builds on them. */
  kept: Step[];
  /** Their results are superseded; they run again. */
  again: Step[];
}

type Rerunnable = Pick<Run, "steps" | "failedStep" | "status">;

/** The steps whose results are kept, in the order of their first occurrence. */
export const standingSteps = (steps: Step[]): Step[] =>
  steps.filter((step) => step.supersededBy === null).sort((a, b) => a.position - b.position);

/** Steps of unknown outcome that every rerun runs again, with their existing keys. */
export const repeatableSteps = (run: Rerunnable): Step[] => standingSteps(run.steps).filter(isRepeatable);

/** The step where the run failed, or else was interrupted. */
export const stoppedAt = (run: Rerunnable): string | undefined =>
  run.status === "failed" && run.failedStep !== null ? run.failedStep : repeatableSteps(run)[0]?.name;

/** From where the run stopped only failed or interrupted steps run again; parallel ones keep their results. */
export const isFromStop = (run: Rerunnable, fromStep: string) =>
  run.status !== "completed" && stoppedAt(run) === fromStep;

/** What a rerun keeps and what it runs again. The code may catch a failure: one before the chosen step is a result like any other. */
export function splitRerun(run: Rerunnable, fromStep: string): RerunSplit {
  const standing = standingSteps(run.steps);
  const from = standing.find((step) => step.name === fromStep);
  const onlyFailed = isFromStop(run, fromStep);
  const runsAgain = (step: Step) =>
    isRepeatable(step) ||
    (from !== undefined &&
      step.position >= from.position &&
      (!onlyFailed || (run.failedStep !== null && step.status === "failed")));
  return { kept: standing.filter((step) => !runsAgain(step)), again: standing.filter(runsAgain) };
}

/**
 * The split as the plan has it, once the plan has loaded and names every step; until then computed here, by the same
 * rule.
 */
export function splitAsPlanned(
  run: Rerunnable,
  fromStep: string,
  again: { count: number; first: string[] } | undefined,
) {
  if (!again || again.count > again.first.length) return splitRerun(run, fromStep);
  const names = new Set(again.first);
  const standing = standingSteps(run.steps);
  return {
    kept: standing.filter(({ name }) => !names.has(name)),
    again: standing.filter(({ name }) => names.has(name)),
  };
}

export interface Repetition {
  step: Step;
  why: string;
}

/** Steps that may happen a second time because no idempotency key protects the provider from a repetition. */
export function repetitions(again: Step[], freshKeys: boolean): Repetition[] {
  return again.flatMap((step) => {
    const why = step.status === "completed" ? whyRepeated(step, freshKeys) : null;
    return why === null ? [] : [{ step, why }];
  });
}

function whyRepeated({ kind, effect }: Step, freshKeys: boolean): string | null {
  if (kind === "transaction") return "its rows are written again, unless its code checks first";
  if (kind !== "step" || effect === "pure") return null;
  if (effect === "once") return "not protected against repetition";
  return freshKeys ? "the provider cannot recognize a fresh key" : null;
}
