"use client";

import { type ReactNode, useMemo } from "react";
import type { Json } from "@/components/parts/values/value-node";
import { Callout } from "@/components/ui/feedback/callout";
import type { Run } from "@/lib/api/contract/run";
import { plural } from "@/lib/format";
import { ChangeList } from "./change-list";
import { ComparedRuns } from "./compared-runs";
import { ComparedSteps } from "./compared-steps";
import { firstDifference } from "./first-difference";
import { jsonChanges } from "./json-changes";
import { compareSteps } from "./step-difference";

/** Two completely loaded runs. `choice`: of the other run. */
export function Comparison({ here, there, choice }: { here: Run; there: Run; choice: ReactNode }) {
  const steps = useMemo(() => compareSteps(here, there), [here, there]);
  const input = useMemo(() => jsonChanges(here.input as Json, there.input as Json), [here, there]);
  const leftOut = here.stepsLeftOut + there.stepsLeftOut;
  return (
    <>
      <h1 className="max-w-[860px] text-pretty break-words font-semibold text-headline tracking-[-0.018em]">
        {firstDifference(here, there, steps)}
      </h1>
      {here.workflow !== there.workflow && (
        <Callout tone="amber" title="These are runs of two workflows">
          <p className="text-ink-2">
            {here.workflow} here, {there.workflow} there: steps are matched only by name.
          </p>
        </Callout>
      )}
      {leftOut > 0 && (
        <Callout tone="amber" title="Not every step is compared">
          <p className="text-ink-2">
            {plural(leftOut, "step")} in the middle of these runs {leftOut === 1 ? "was" : "were"} not loaded: steps
            shown as missing may exist.
          </p>
        </Callout>
      )}
      {choice}
      <ComparedRuns here={here} there={there} />
      <section className="grid gap-2">
        <h2 className="font-semibold">Input</h2>
        <ChangeList changes={input} what="inputs" />
      </section>
      <ComparedSteps steps={steps} hereId={here.id} thereId={there.id} />
    </>
  );
}
