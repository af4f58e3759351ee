import type { Run, Step } from "@/lib/api/contract/run";
import { isRepeatable } from "@/lib/engine/runs/operator-acts";

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

/** Steps of unknown outcome that every rerun runs again, with the keys that they have. */
export const repeatableSteps = (run: Rerunnable): Step[] => standingSteps(run.steps).filter(isRepeatable);

/** The step where the run failed, or else was cut off. */
export const stoppedAt = (run: Rerunnable): string | undefined =>
  run.status === "failed" && run.failedStep !== null ? run.failedStep : repeatableSteps(run)[0]?.name;

/** From where the run stopped only what failed or was cut off runs again; what ran beside it keeps its result. */
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

/** The split as the plan has it, once the plan is there and names every step; until then by the same rule, here. */
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

/** What may happen a second time because nothing tells the world that it happened before. */
export function repetitions(again: Step[], freshKeys: boolean): Repetition[] {
  return again.flatMap((step) => {
    const why = step.status === "completed" ? whyRepeated(step, freshKeys) : null;
    return why === null ? [] : [{ step, why }];
  });
}

function whyRepeated({ kind, effect }: Step, freshKeys: boolean): string | null {
  if (kind === "transaction") return "its rows are written again, unless its code looks first";
  if (kind !== "step" || effect === "pure") return null;
  if (effect === "once") return "nothing protects it from a repetition";
  return freshKeys ? "with a fresh key its receiver cannot tell" : null;
}
