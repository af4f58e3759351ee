"use client";

import { memo } from "react";
import { lookOfStep } from "@/components/domain/run/step-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { MiddleText } from "@/components/ui/text/middle-text";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { classNames } from "@/lib/class-names";
import { formatDuration, plural } from "@/lib/format";
import type { StepRow } from "../lanes/lanes";
import type { TimeScale } from "../lanes/time-scale";
import type { Mark } from "../layers/layer";
import { ChildLink, natureOf, wordsOf } from "./step-row";
import { TimelineTrack } from "./track";

interface StepListRowProps {
  row: StepRow;
  /** Of the whole run: the small bars are aligned in its time. */
  scale: TimeScale;
  nowMs: number | null;
  clock: (ms: number) => string;
  marks: readonly Mark[] | undefined;
  /** The run has several generations. */
  several: boolean;
  selected: boolean;
  onSelect: (step: DrawnStep) => void;
}

export const StepListRow = memo(function StepListRow(props: StepListRowProps) {
  const { row, scale, nowMs, clock, marks, several, selected, onSelect } = props;
  const { step, segments, tookMs, drift } = row;
  const look = lookOfStep(step);
  return (
    <div
      className={classNames(
        "relative grid size-full grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 border-line border-t px-4 md:px-6",
        "md:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_minmax(60px,130px)_84px_64px]",
        selected ? "bg-accent-soft" : "hover:bg-sunken",
      )}
    >
      <span className="flex min-w-0 items-center gap-2">
        <button
          type="button"
          aria-pressed={selected}
          aria-label={wordsOf(row, look.word)}
          onClick={() => onSelect(step)}
          className="flex min-w-0 items-center gap-2 text-left outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          <StatusLabel look={look} shapeOnly />
          <MiddleText text={step.name} className="font-mono text-small" />
          {drift && (
            <span className="shrink-0 rounded bg-amber-soft px-1 font-medium text-amber text-micro">{drift}</span>
          )}
        </button>
        <ChildLink step={step} />
        {several && <span className="shrink-0 text-ink-3 text-micro">gen {step.generation}</span>}
      </span>
      <StepNote step={step} />
      <span className="max-md:order-last max-md:col-span-2">
        <TimelineTrack segments={segments} marks={marks} scale={scale} nowMs={nowMs} clock={clock} folds={false} />
      </span>
      <span className="text-right text-ink-3 text-small tabular-nums max-md:hidden">
        {clock(Date.parse(step.startedAt)).slice(0, -4)}
      </span>
      <span className="text-right text-ink-2 tabular-nums">{tookMs === null ? "–" : formatDuration(tookMs)}</span>
    </div>
  );
});

/** Its error, if any; else its effect, and the number of attempts. */
function StepNote({ step }: { step: DrawnStep }) {
  const { error, attempt } = step;
  const tries = attempt > 1 ? `, ${plural(attempt, "attempt")}` : "";
  const calls = step.supersededBy === null && (step.status === "failed" || step.status === "unknown");
  return (
    <span className={classNames("truncate text-small max-md:hidden", error && calls ? "text-red" : "text-ink-3")}>
      {error ? `${error.message.split("\n")[0]}${tries}` : `${natureOf(step)}${tries}`}
    </span>
  );
}
