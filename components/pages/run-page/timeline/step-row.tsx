"use client";

import { ArrowUpRight, ChevronRight } from "lucide-react";
import Link from "next/link";
import { memo, type ReactNode } from "react";
import { stepHref } from "@/components/domain/run/step-href";
import { lookOfCompensation, lookOfStep } from "@/components/domain/run/step-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { MiddleText } from "@/components/ui/text/middle-text";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { classNames } from "@/lib/class-names";
import { formatDuration } from "@/lib/format";
import type { Lane, StepRow } from "../lanes/lanes";
import type { TimeScale } from "../lanes/time-scale";
import type { Mark } from "../layers/layer";
import { TIMELINE_GRID } from "./columns";
import { Guides } from "./guides";
import type { Place } from "./nested-run";
import { TimelineTrack } from "./track";

interface TimelineStepRowProps {
  kind: Lane["kind"];
  row: StepRow;
  inLoop: boolean;
  scale: TimeScale;
  nowMs: number | null;
  clock: (ms: number) => string;
  /** What lies beside its bars. */
  marks: readonly Mark[] | undefined;
  /** Something happened to it at the moment of the history that is shown. */
  happened: boolean;
  /** Where it is a step of a child. */
  place: Place | undefined;
  /** Whether the steps of the child that it has started are below it; null where there are none to open. */
  child: { open: boolean; toggle: () => void } | null;
  selected: boolean;
  onSelect: (step: DrawnStep) => void;
}

export const TimelineStepRow = memo(function TimelineStepRow(props: TimelineStepRowProps) {
  const { kind, row, inLoop, scale, nowMs, clock, marks, happened, place, selected } = props;
  const { step, segments, tookMs, drift } = row;
  const look = kind === "undo" ? lookOfCompensation(step.compensation) : lookOfStep(step);
  return (
    <div
      className={classNames(
        TIMELINE_GRID,
        "relative size-full items-center border-line border-t max-md:content-center",
        selected ? "bg-accent-soft" : "hover:bg-sunken",
      )}
    >
      {happened && <span aria-hidden data-drawn className="absolute inset-y-0 left-0 w-1 bg-accent" />}
      <span className={classNames("flex min-w-0 items-center gap-2 self-stretch", inLoop && "pl-5")}>
        {place && <Guides depth={place.depth} />}
        <Main {...props} label={wordsOf(row, look.word)}>
          <StatusLabel look={look} shapeOnly />
          <MiddleText text={step.name} className="font-mono text-small" />
          {drift && (
            <span className="ml-auto shrink-0 rounded bg-amber-soft px-1 font-medium text-amber text-micro">
              {drift}
            </span>
          )}
        </Main>
        <ChildToggle {...props} />
        <ChildLink step={step} />
        <span className="shrink-0 pl-0.5 text-ink-3 text-micro max-md:hidden">{natureOf(step)}</span>
      </span>
      <TimelineTrack segments={segments} marks={marks} scale={scale} nowMs={nowMs} clock={clock} />
      <span className="text-right text-ink-3 tabular-nums max-md:col-start-2 max-md:row-start-1">
        {tookMs === null ? "–" : formatDuration(tookMs)}
      </span>
    </div>
  );
});

/** The whole row presses it; its bars, the way into a child and the link to it lie above. */
const MAIN =
  "flex min-w-0 flex-1 items-center gap-2 text-left outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent";

/** Chooses the step; that of a child is one of the child's page. */
function Main(props: TimelineStepRowProps & { label: string; children: ReactNode }) {
  const { row, place, selected, onSelect, label, children } = props;
  const { name } = row.step;
  if (place)
    return (
      <Link data-row href={stepHref(place.runId, name)} prefetch={false} aria-label={label} className={MAIN}>
        {children}
      </Link>
    );
  return (
    <button
      data-row
      type="button"
      aria-pressed={selected}
      aria-label={label}
      onClick={() => onSelect(row.step)}
      className={MAIN}
    >
      {children}
    </button>
  );
}

function ChildToggle({ row, child }: Pick<TimelineStepRowProps, "row" | "child">) {
  if (!child) return null;
  const { open, toggle } = child;
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-label={`Steps of the child run of ${row.step.name}`}
      title={open ? "Close the child's steps" : "Show the child's steps here"}
      onClick={toggle}
      className="relative -mr-1 grid size-6 shrink-0 place-items-center rounded text-ink-3 hover:bg-gray-soft hover:text-ink max-md:size-11"
    >
      <ChevronRight aria-hidden className={classNames("size-3.5 transition-transform", open && "rotate-90")} />
    </button>
  );
}

/** To the page of the run that a step has started. */
export function ChildLink({ step }: { step: Pick<DrawnStep, "kind" | "reference" | "name"> }) {
  if (step.kind !== "child" || step.reference === null) return null;
  return (
    <Link
      href={`/runs/${step.reference}`}
      prefetch={false}
      aria-label={`The child run of ${step.name}`}
      title="The child run"
      className="relative grid size-6 shrink-0 place-items-center rounded text-accent hover:bg-gray-soft max-md:size-11"
    >
      <ArrowUpRight aria-hidden className="size-3.5" />
    </Link>
  );
}

/** The step's effect, or its kind when it has none. */
export const natureOf = (step: Pick<DrawnStep, "kind" | "effect">) => (step.kind === "step" ? step.effect : step.kind);

/** More bars than this would make an unreadable sentence. */
const SPOKEN = 12;

export function wordsOf({ step, segments, tookMs, drift }: StepRow, status: string): string {
  const found = drift === null ? "" : `, ${drift}`;
  const took = tookMs === null ? "" : `, ${formatDuration(tookMs)} in all`;
  const spoken = segments.slice(0, SPOKEN).map(({ text }) => text);
  const rest = segments.length > SPOKEN ? [`and ${segments.length - SPOKEN} more`] : [];
  return `${step.name}: ${status}${found}${took}. ${[...spoken, ...rest].join("; ")}`;
}
