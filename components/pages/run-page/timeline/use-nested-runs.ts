"use client";

import { useMemo } from "react";
import { useNow } from "@/components/parts/time/use-now";
import type { Run } from "@/lib/api/contract/run";
import { useNestedSteps, useRunsById } from "@/lib/api/hooks/run-hooks";
import { hasEnded } from "@/lib/engine/runs/run";
import { drawnSteps, nowOf } from "../lanes/use-drawn-run";
import { nestedRows } from "./nested";
import type { NestedRest, NestedRun, NestedRuns } from "./nested-run";

/** The open children, read when they are opened: each with its first steps, and all of them on request. */
export function useNestedRuns(children: readonly string[], whole: readonly string[]): NestedRuns {
  const answers = useRunsById(children);
  const long = useMemo(
    () => answers.flatMap(({ run }) => (run && run.stepsLeftOut > 0 && whole.includes(run.id) ? [run] : [])),
    [answers, whole],
  );
  const read = useNestedSteps(long);
  const clock = useNow();
  const now = answers.some(({ run }) => run && !hasEnded(run.status)) ? clock : null;
  return useMemo(
    () =>
      new Map(
        children.map((id, index): [string, NestedRun] => {
          const { run = null, failed = false, retry = nothing } = answers[index] ?? {};
          if (!run) return [id, { run, rows: [], rest: null, failed, retry }];
          const steps = read[long.indexOf(run)];
          const drawn = { ...run, steps: drawnSteps(run, steps?.steps) };
          const rest = run.stepsLeftOut > 0 ? restOf(run, drawn.steps.length, steps) : null;
          return [id, { run, rows: nestedRows(drawn, nowOf(run, now)), rest, failed, retry }];
        }),
      ),
    [children, answers, long, read, now],
  );
}

const nothing = () => undefined;

type Read = ReturnType<typeof useNestedSteps>[number];

function restOf(run: Run, drawn: number, steps: Read | undefined): NestedRest {
  const total = run.steps.length + run.stepsLeftOut;
  const state = !steps ? "closed" : steps.steps ? "open" : steps.failed ? "failed" : "reading";
  return { total, left: Math.max(0, total - drawn), state, retry: steps?.retry ?? nothing };
}
