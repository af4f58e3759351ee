"use client";

import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import { useStable } from "@/components/ui/hooks/use-stable";
import type { Run, Step } from "@/lib/api/contract/run";
import { useStep } from "@/lib/api/hooks/run-hooks";
import { runPageUrl } from "../address/run-url";

/** The tab and the step of the page, as its address says; and the run with whatever is known of that step. */
export function useRunPage(run: Run) {
  const [url, setUrl] = useQueryStates(runPageUrl, { history: "replace" });
  const { step: name, generation } = url;
  const { data } = useStep(run, name);
  const whole = useMemo(() => (data ? withRecords(run, data.steps) : run), [run, data]);
  const step = useMemo(() => (name ? findStep(whole, name, generation) : null), [whole, name, generation]);
  // For rows that are rendered only when they change.
  const selectStep = useStable((chosen: Pick<Step, "name" | "generation" | "supersededBy"> | null) =>
    setUrl({
      step: chosen?.name ?? null,
      generation: chosen && chosen.supersededBy !== null ? chosen.generation : null,
      attempt: null,
    }),
  );
  return {
    whole,
    tab: url.tab,
    setTab: (tab: typeof url.tab) => setUrl({ tab }),
    step,
    selectStep,
  };
}

/** With the records of a step that it may have come without. */
function withRecords(run: Run, records: Step[]): Run {
  const known = new Set(run.steps.map(({ name, generation }) => `${generation} ${name}`));
  const added = records.filter(({ name, generation }) => !known.has(`${generation} ${name}`));
  return added.length === 0
    ? run
    : { ...run, steps: [...run.steps, ...added], stepsLeftOut: run.stepsLeftOut - added.length };
}

/** Of a name and, where it was set aside, its generation. */
function findStep(run: Run, name: string, generation: number | null): Step | null {
  const records = run.steps.filter((step) => step.name === name);
  const wanted =
    generation === null
      ? records.find((step) => step.supersededBy === null)
      : records.find((step) => step.generation === generation);
  return wanted ?? records.at(-1) ?? null;
}
