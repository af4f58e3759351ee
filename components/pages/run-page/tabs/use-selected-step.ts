"use client";

import { useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { useStable } from "@/components/ui/hooks/use-stable";
import type { Run, Step } from "@/lib/api/contract/run";
import { useStep } from "@/lib/api/hooks/run-hooks";
import { runPageUrl } from "../address/run-url";
import { stoppedAt } from "../address/stopped-at";

/**
 * The tab and the step of the page, as its address says; and the run with whatever is known of that step. A page whose address names no
 * step opens at the one that stopped the run; that is not written to the address, so that Back leads away.
 */
export function useRunPage(run: Run) {
  const [url, setUrl] = useQueryStates(runPageUrl, { history: "replace" });
  const { generation } = url;
  const [opened, setOpened] = useState(() => stoppedAt(run));
  const name = url.step ?? opened;
  const { data } = useStep(run, name);
  const whole = useMemo(() => (data ? withRecords(run, data.steps) : run), [run, data]);
  const step = useMemo(() => (name ? findStep(whole, name, generation) : null), [whole, name, generation]);
  // For rows that are rendered only when they change.
  const selectStep = useStable((chosen: Pick<Step, "name" | "generation" | "supersededBy"> | null) => {
    setOpened(null);
    return setUrl({
      step: chosen?.name ?? null,
      generation: chosen && chosen.supersededBy !== null ? chosen.generation : null,
      attempt: null,
    });
  });
  return {
    whole,
    tab: url.tab,
    setTab: (tab: typeof url.tab) => setUrl({ tab }),
    step,
    /** The step that the address names. */
    named: url.step,
    /** The step that is in the inspector, if there is room for it; its record may be still to come. */
    shown: name,
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
