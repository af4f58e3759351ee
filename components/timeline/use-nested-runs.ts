"use client";

import { useMemo } from "react";
import { useRunsById } from "@/lib/api/hooks/read-hooks";
import { hasEnded } from "@/lib/engine/run";
import { useNow } from "../time/use-now";
import { nestedRows } from "./nested";
import type { NestedRun, NestedRuns } from "./nested-run";
import { nowOf } from "./use-drawn-run";

/** The children that stand open, read when they are opened: each with the steps of its first screen. */
export function useNestedRuns(ids: readonly string[]): NestedRuns {
  const answers = useRunsById(ids);
  const clock = useNow();
  const now = answers.some(({ run }) => run && !hasEnded(run.status)) ? clock : null;
  return useMemo(
    () =>
      new Map(
        ids.map((id, index): [string, NestedRun] => {
          const { run = null, failed = false, retry = () => undefined } = answers[index] ?? {};
          const rows = run ? nestedRows(run, nowOf(run, now)) : [];
          return [id, { run, rows, left: run?.stepsLeftOut ?? 0, failed, retry }];
        }),
      ),
    [ids, answers, now],
  );
}
