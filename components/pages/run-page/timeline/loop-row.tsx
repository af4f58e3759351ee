"use client";

import { ChevronRight } from "lucide-react";
import { useMemo } from "react";
import { STEP_LOOKS } from "@/components/domain/run/step-looks";
import { classNames } from "@/lib/class-names";
import type { StepStatus } from "@/lib/engine/steps/step";
import { formatCount, formatDuration } from "@/lib/format";
import type { StepRow } from "../lanes/lanes";
import type { Loop } from "../lanes/loops";
import { shapeOf } from "../lanes/shape";
import type { TimeScale } from "../lanes/time-scale";
import { TIMELINE_GRID } from "./columns";
import { ShapeTrack } from "./track";

/** As fine as a wide screen shows it. */
const PLACES = 240;

interface LoopRowProps {
  loop: Loop;
  open: boolean;
  scale: TimeScale;
  nowMs: number | null;
  onToggle: () => void;
}

/** Many steps with the same name except for its number, as one row until it is opened. */
export function LoopRow({ loop, open, scale, nowMs, onToggle }: LoopRowProps) {
  const shapes = useMemo(() => shapeOf(loop.rows, scale, PLACES), [loop.rows, scale]);
  const words = useMemo(() => statusWords(loop.rows), [loop.rows]);
  const tookMs = useMemo(() => tookOf(loop.rows), [loop.rows]);
  return (
    <div
      className={classNames(
        TIMELINE_GRID,
        "relative size-full items-center border-line border-t hover:bg-sunken max-md:content-center",
      )}
    >
      <button
        type="button"
        aria-expanded={open}
        aria-label={`${formatCount(loop.rows.length)} steps named ${loop.stem}: ${words}, ${formatDuration(tookMs)} in all`}
        onClick={onToggle}
        className="flex min-w-0 items-center gap-2 text-left outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent"
      >
        <ChevronRight
          aria-hidden
          className={classNames("size-3.5 shrink-0 text-ink-3 transition-transform", open && "rotate-90")}
        />
        <span className="truncate font-mono text-small">{loop.stem}</span>
        <span className="shrink-0 rounded-full bg-gray-soft px-1.5 text-ink-2 text-micro tabular-nums">
          {formatCount(loop.rows.length)}
        </span>
        <span className="ml-auto truncate pl-2 text-ink-3 text-micro max-md:hidden">{words}</span>
      </button>
      <ShapeTrack shapes={shapes} scale={scale} nowMs={nowMs} />
      <span className="text-right text-ink-3 tabular-nums max-md:col-start-2 max-md:row-start-1">
        {formatDuration(tookMs)}
      </span>
    </div>
  );
}

/** What is not simply done comes first; `all done` of a loop in which everything is. */
function statusWords(rows: readonly StepRow[]): string {
  const counts = new Map<StepStatus, number>();
  for (const { step } of rows) counts.set(step.status, (counts.get(step.status) ?? 0) + 1);
  if (counts.get("completed") === rows.length) return "all done";
  return [...counts]
    .filter(([status]) => status !== "completed")
    .map(([status, count]) => `${formatCount(count)} ${STEP_LOOKS[status].word.toLowerCase()}`)
    .join(", ");
}

function tookOf(rows: readonly StepRow[]): number {
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { segments } of rows)
    for (const segment of segments) {
      if (segment.from < from) from = segment.from;
      if (segment.to > to) to = segment.to;
    }
  return Math.max(0, to - from);
}
