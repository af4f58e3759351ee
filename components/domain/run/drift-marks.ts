import type { Run } from "@/lib/api/contract/run";
import type { DrawnStep } from "@/lib/api/contract/steps";

/** The mark of a step whose code has drifted; null for most. */
export function driftMark(run: Pick<Run, "drift">, step: Pick<DrawnStep, "name" | "generation" | "supersededBy">) {
  for (const { version, gone, next, generation } of run.drift.toReversed()) {
    if (next === step.name && step.generation === generation) return `new in v${version}`;
    if (gone.includes(step.name) && step.supersededBy === null) return `not in v${version}`;
  }
  return null;
}
