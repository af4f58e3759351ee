"use client";

import { useQueryStates } from "nuqs";
import { useMemo } from "react";
import type { Run, Step } from "@/lib/api/contract/run";
import { runPageUrl } from "./run-url";

/** The tab and the step of the page, as its address says. */
export function useRunPage(run: Run | undefined) {
  const [url, setUrl] = useQueryStates(runPageUrl, { history: "replace" });
  const { step: name, generation } = url;
  const step = useMemo(() => (run && name ? findStep(run, name, generation) : null), [run, name, generation]);
  return {
    tab: url.tab,
    setTab: (tab: typeof url.tab) => setUrl({ tab }),
    step,
    selectStep: (chosen: Step | null) =>
      setUrl({
        step: chosen?.name ?? null,
        generation: chosen && chosen.supersededBy !== null ? chosen.generation : null,
      }),
  };
}

/** Of a name and, where it was set aside, its generation. */
export function findStep(run: Run, name: string, generation: number | null): Step | null {
  const records = run.steps.filter((step) => step.name === name);
  const wanted =
    generation === null
      ? records.find((step) => step.supersededBy === null)
      : records.find((step) => step.generation === generation);
  return wanted ?? records.at(-1) ?? null;
}
