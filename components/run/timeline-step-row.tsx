"use client";

import { memo } from "react";
import type { Step } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { formatDuration } from "@/lib/format";
import { StatusLabel } from "../status/status-label";
import { lookOfCompensation, lookOfStep } from "../status/step-looks";
import { MiddleText } from "../ui/middle-text";
import { TIMELINE_GRID } from "./timeline-columns";
import type { Lane, StepRow } from "./timeline-model";
import { TimelineTrack } from "./timeline-track";

interface TimelineStepRowProps {
  lane: Lane;
  row: StepRow;
  selected: boolean;
  onSelect: (step: Step) => void;
}

export const TimelineStepRow = memo(function TimelineStepRow({ lane, row, selected, onSelect }: TimelineStepRowProps) {
  const { step, segments, tookMs, drift } = row;
  const look = lane.kind === "undo" ? lookOfCompensation(step.compensation) : lookOfStep(step);
  return (
    <button
      type="button"
      aria-pressed={selected}
      aria-label={wordsOf(row, look.word)}
      data-ring="inside"
      onClick={() => onSelect(step)}
      className={classNames(
        TIMELINE_GRID,
        "size-full items-center border-line border-t text-left max-md:content-center",
        selected ? "bg-accent-soft" : "hover:bg-sunken",
      )}
    >
      <span className="flex min-w-0 items-center gap-2">
        <StatusLabel look={look} shapeOnly />
        <MiddleText text={step.name} className="font-mono text-small" />
        {drift && (
          <span className="ml-auto shrink-0 rounded bg-amber-soft px-1 font-medium text-amber text-micro">{drift}</span>
        )}
        <span className={classNames("shrink-0 text-ink-3 text-micro max-md:hidden", drift ? "pl-0.5" : "ml-auto pl-2")}>
          {natureOf(step)}
        </span>
      </span>
      <TimelineTrack segments={segments} scale={lane.scale} />
      <span className="text-right text-ink-3 max-md:col-start-2 max-md:row-start-1">
        {tookMs === null ? "–" : formatDuration(tookMs)}
      </span>
    </button>
  );
});

/** What the step does to the world, or what it is when it does nothing. */
export const natureOf = (step: Pick<Step, "kind" | "effect">) => (step.kind === "step" ? step.effect : step.kind);

/** More bars than this make no sentence that anybody would listen to. */
const SPOKEN = 12;

function wordsOf({ step, segments, tookMs, drift }: StepRow, status: string): string {
  const found = drift === null ? "" : `, ${drift}`;
  const took = tookMs === null ? "" : `, ${formatDuration(tookMs)} in all`;
  const spoken = segments.slice(0, SPOKEN).map(({ text }) => text);
  const rest = segments.length > SPOKEN ? [`and ${segments.length - SPOKEN} more`] : [];
  return `${step.name}: ${status}${found}${took}. ${[...spoken, ...rest].join("; ")}`;
}
