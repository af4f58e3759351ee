"use client";

import { useQueryStates } from "nuqs";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/form/segmented";
import { plural } from "@/lib/format";
import { compareUrl } from "./compare-url";
import { ComparedStepRow } from "./compared-step-row";
import type { ComparedStep } from "./step-difference";

/** Rows that are rendered at a time. */
const PORTION = 200;

type Item = { type: "step"; step: ComparedStep } | { type: "alike"; from: string; count: number };

interface ComparedStepsProps {
  steps: ComparedStep[];
  hereId: string;
  thereId: string;
}

/** The steps side by side; equal ones are folded, or all of them shown. */
export function ComparedSteps({ steps, hereId, thereId }: ComparedStepsProps) {
  const [{ show }, setUrl] = useQueryStates(compareUrl);
  const [drawn, setDrawn] = useState(PORTION);
  const items = show === "all" ? steps.map(asItem) : folded(steps);
  const different = steps.filter(({ differences }) => differences.length > 0).length;
  return (
    <section className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="font-semibold">Steps</h2>
        <span className="text-ink-3">
          {different === 0 ? `${plural(steps.length, "step")}, all the same` : `${different} of ${steps.length} differ`}
        </span>
        <span className="ml-auto print:hidden">
          <Segmented
            label="Which steps are shown"
            value={show}
            onChange={(next) => void setUrl({ show: next })}
            options={[
              { value: "differences", text: "Differences" },
              { value: "all", text: "All" },
            ]}
          />
        </span>
      </div>
      <ol aria-label="Steps of both runs" className="overflow-hidden rounded-lg border border-line-strong bg-panel">
        {items.slice(0, drawn).map((item) =>
          item.type === "alike" ? (
            <li
              key={`alike ${item.from}`}
              className="border-line border-t px-3 py-1.5 text-ink-3 text-small first:border-t-0"
            >
              {plural(item.count, "step")} the same, from <span className="font-mono">{item.from}</span>
            </li>
          ) : (
            <ComparedStepRow key={item.step.name} step={item.step} hereId={hereId} thereId={thereId} />
          ),
        )}
        {items.length === 0 && <li className="px-3 py-2 text-ink-3">No steps yet.</li>}
      </ol>
      {items.length > drawn && (
        <Button className="justify-self-start" onClick={() => setDrawn(drawn + PORTION)}>
          {items.length - drawn} more
        </Button>
      )}
    </section>
  );
}

const asItem = (step: ComparedStep): Item => ({ type: "step", step });

function folded(steps: ComparedStep[]): Item[] {
  const items: Item[] = [];
  for (const step of steps) {
    const last = items.at(-1);
    if (step.differences.length > 0) items.push(asItem(step));
    else if (last?.type === "alike") last.count++;
    else items.push({ type: "alike", from: step.name, count: 1 });
  }
  return items;
}
