import { lookOfStep } from "@/components/domain/run/step-looks";
import { tookMs } from "@/components/domain/run/step-words";
import type { Json } from "@/components/parts/values/value-node";
import type { Run, Step } from "@/lib/api/contract/run";
import { alignSteps, type StepPair } from "./align-steps";
import { isSame, type JsonChanges, jsonChanges } from "./json-changes";

/** How a step differs between two runs, most important first. */
const DIFFERENCES = ["missing", "status", "error", "moved", "kind", "attempts", "output", "time"] as const;
export type Difference = (typeof DIFFERENCES)[number];

export interface ComparedStep extends StepPair {
  differences: Difference[];
  output: JsonChanges;
  hereMs: number | null;
  thereMs: number | null;
}

/** Shorter differences in time come from the machine rather than from the run. */
const LEAST_MS = 500;
const TIMES = 2;

export const compareSteps = (here: Run, there: Run): ComparedStep[] =>
  alignSteps(here.steps, there.steps).map(comparedStep);

function comparedStep(pair: StepPair): ComparedStep {
  const { here, there, moved } = pair;
  const [hereMs, thereMs] = [here && tookMs(here), there && tookMs(there)];
  const output = jsonChanges(
    (here?.output ?? undefined) as Json | undefined,
    (there?.output ?? undefined) as Json | undefined,
  );
  const differs: Record<Difference, boolean> = {
    missing: here === null || there === null,
    status: wordOf(here) !== wordOf(there),
    error: errorOf(here) !== errorOf(there),
    moved,
    kind: here?.kind !== there?.kind || here?.effect !== there?.effect,
    attempts: here?.attempt !== there?.attempt,
    output: !isSame(output),
    time: isFarApart(hereMs, thereMs),
  };
  const differences = here && there ? DIFFERENCES.filter((name) => differs[name]) : (["missing"] as Difference[]);
  return { ...pair, differences, output, hereMs, thereMs };
}

/** Differences in path, and not only values that differ in every run. */
export const isParting = ({ differences }: ComparedStep): boolean =>
  differences.some((difference) => difference !== "output" && difference !== "time" && difference !== "attempts");

const wordOf = (step: Step | null) => step && lookOfStep(step).word;

export const errorOf = (step: Step | null): string | null =>
  step?.error ? `${step.error.code ?? step.error.name}: ${step.error.message}` : null;

function isFarApart(here: number | null, there: number | null): boolean {
  if (here === null || there === null) return false;
  const [less, more] = [Math.min(here, there), Math.max(here, there)];
  return more - less >= LEAST_MS && more >= TIMES * less;
}
