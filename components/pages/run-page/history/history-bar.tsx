"use client";

import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useDeferredValue, useEffect, useMemo } from "react";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { formatCount, formatDuration } from "@/lib/format";
import { formatClockToMs } from "@/lib/format/times";
import { type Lane, lanesOf } from "../lanes/lanes";
import { type HistoryRun, type Moment, momentsOf, placeOf } from "./moments";
import { runAt } from "./run-at";

/** The run at a moment of its history. */
export interface Past {
  lanes: Lane[];
  atMs: number;
  /** The steps to which something happened then. */
  steps: readonly { name: string; generation: number }[];
}

interface HistoryBarProps {
  run: HistoryRun;
  /** Milliseconds since the run was created. */
  at: number;
  /** Null: back to now. */
  onAt: (at: number | null) => void;
  onPast: (past: Past | null) => void;
  onSelect: (step: DrawnStep) => void;
}

/** Goes through the run's history, state by state; the timeline shows each, and this says what happened. */
export function HistoryBar({ run, at, onAt, onPast, onSelect }: HistoryBarProps) {
  const beganMs = Date.parse(run.createdAt);
  const moments = useMemo(() => momentsOf(run), [run]);
  const place = placeOf(moments, beganMs + at);
  const moment = moments[place] as Moment;
  // While it is dragged, states in between are left out rather than waited for.
  const shown = useDeferredValue(moment);
  const past = useMemo(() => pastOf(run, shown), [run, shown]);
  useEffect(() => onPast(past), [past, onPast]);
  useEffect(() => () => onPast(null), [onPast]);
  const go = (to: number) => {
    const next = moments[Math.min(moments.length - 1, Math.max(0, to))];
    if (next) onAt(next.atMs - beganMs);
  };
  const times = useTimes();
  const words = moment.happenings.map(wordsOf).join("; ");
  const since = formatDuration(moment.atMs - beganMs);
  return (
    <section
      aria-label="History of the run"
      className="sticky top-0 z-20 border-line border-b bg-panel px-4 py-2 shadow-card md:px-6 print:hidden"
    >
      <div className="flex items-center gap-2">
        <IconButton label="Previous state" onClick={() => go(place - 1)} disabled={place === 0}>
          <ChevronLeft aria-hidden className="size-4" />
        </IconButton>
        <input
          type="range"
          aria-label="Moment in the run's history"
          aria-valuetext={`${place + 1} of ${moments.length}, ${since} after the start: ${words}`}
          min={0}
          max={moments.length - 1}
          value={place}
          onChange={({ target }) => go(Number(target.value))}
          className="h-6 min-w-0 flex-1 cursor-pointer accent-accent max-md:h-11"
        />
        <IconButton label="Next state" onClick={() => go(place + 1)} disabled={place === moments.length - 1}>
          <ChevronRight aria-hidden className="size-4" />
        </IconButton>
        <span className="shrink-0 text-ink-3 text-small tabular-nums">
          {formatCount(place + 1)} of {formatCount(moments.length)}
        </span>
        <IconButton label="Back to now" onClick={() => onAt(null)}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      <p role="status" className="flex min-h-6 flex-wrap items-baseline gap-x-2 text-small">
        <span className="text-ink-3 tabular-nums">
          {formatClockToMs(moment.atMs, times)} · {since}
        </span>
        <Happenings run={run} moment={moment} onSelect={onSelect} />
      </p>
    </section>
  );
}

/** More would push the timeline away. */
const SPOKEN = 3;

function Happenings({
  run,
  moment: { happenings },
  onSelect,
}: { moment: Moment } & Pick<HistoryBarProps, "run" | "onSelect">) {
  const rest = happenings.length - SPOKEN;
  const select = ({ name, generation }: { name: string; generation: number }) => {
    const step = run.steps.find((one) => one.name === name && one.generation === generation);
    if (step) onSelect(step);
  };
  return (
    <>
      {happenings.slice(0, SPOKEN).map(({ text, step }) => (
        <span key={`${step?.generation} ${step?.name} ${text}`} className="min-w-0 break-words text-ink">
          {step && (
            <>
              <Button variant="ghost" size="small" className="-mx-1.5 font-mono" onClick={() => select(step)}>
                {step.name}
              </Button>{" "}
            </>
          )}
          {text}.
        </span>
      ))}
      {rest > 0 && <span className="text-ink-3">And {formatCount(rest)} more at the same time.</span>}
    </>
  );
}

const wordsOf = ({ text, step }: Moment["happenings"][number]) => (step ? `${step.name}: ${text}` : text);

function pastOf(run: HistoryRun, { atMs, happenings }: Moment): Past {
  return { lanes: lanesOf(runAt(run, atMs), atMs), atMs, steps: happenings.flatMap(({ step }) => step ?? []) };
}
