"use client";

import { useDeferredValue, useMemo } from "react";
import { useNow } from "@/components/parts/time/use-now";
import type { Run } from "@/lib/api/contract/run";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { useSteps } from "@/lib/api/hooks/run-hooks";
import { hasEnded } from "@/lib/engine/runs/run";
import { type DrawnRun, type Lane, lanesOf } from "./lanes";

/** A run with every step that is known of it so far, and how many are still to come. */
export function useDrawnRun(run: Run) {
  const { data, error, refetch } = useSteps(run);
  // Pages of a thousand steps come one after the other: what they change is drawn in pieces, between which the browser answers.
  const drawn = useDeferredValue(useMemo(() => ({ ...run, steps: drawnSteps(run, data) }), [run, data]));
  const total = run.steps.length + run.stepsLeftOut;
  return { run: drawn, total, missing: Math.max(0, total - drawn.steps.length), error, retry: () => void refetch() };
}

/** The run's own record of a step is newer than a loaded page's. */
export function drawnSteps(
  { steps, stepsLeftOut }: Run,
  pages: readonly DrawnStep[] | undefined,
): readonly DrawnStep[] {
  if (stepsLeftOut === 0 || !pages) return steps;
  const keyOf = ({ name, generation }: DrawnStep) => `${generation} ${name}`;
  const byKey = new Map<string, DrawnStep>(pages.map((step) => [keyOf(step), step]));
  for (const step of steps) byKey.set(keyOf(step), step);
  return [...byKey.values()];
}

/** Until when a run is drawn. */
export function nowOf(
  { status, finishedAt, createdAt }: Pick<Run, "status" | "finishedAt" | "createdAt">,
  now: number | null,
) {
  return hasEnded(status) ? Date.parse(finishedAt ?? createdAt) : (now ?? Date.parse(createdAt));
}

/** An ended run does not change; one in progress grows every second. */
export function useLanes(run: DrawnRun & Pick<Run, "status" | "finishedAt">): { lanes: Lane[]; nowMs: number | null } {
  const now = useNow();
  const still = hasEnded(run.status);
  const nowMs = nowOf(run, now);
  const lanes = useMemo(() => lanesOf(run, nowMs), [run, nowMs]);
  return { lanes, nowMs: still ? null : nowMs };
}
