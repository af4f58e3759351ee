"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { later } from "@/components/ui/later";
import type { Run } from "@/lib/api/contract/run";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { plural } from "@/lib/format";
import type { Past } from "../history/history-bar";
import { useDrawnRun, useLanes } from "../lanes/use-drawn-run";
import type { Layers } from "../layers/layer";
import { Timeline } from "./timeline";
import { useTimelineView } from "./use-timeline-view";

// Asked for, and drawn beside the steps once these are there.
const HistoryBar = later(() => import("../history/history-bar").then((part) => part.HistoryBar));
const ReadLayers = later(() => import("../layers/read-layers").then((part) => part.ReadLayers));
const StepList = later(() => import("./step-list").then((part) => part.StepList));

interface TimelinePanelProps {
  run: Run;
  selected: { name: string; generation: number } | null;
  /** The name of the step that comes into sight. */
  opensAt: string | null;
  onSelect: (step: DrawnStep) => void;
  /** Whether timeline and inspector are side by side. */
  wide: boolean;
  /** What scrolls where they do not. */
  page: HTMLDivElement | null;
}

/** The run's steps over time, or as a list. */
export function TimelinePanel({ run: given, selected, opensAt, onSelect, wide, page }: TimelinePanelProps) {
  // An element in state, not a ref: a child that measures it in its own effects is drawn again once it is there.
  const [pane, setPane] = useState<HTMLDivElement | null>(null);
  const { run, missing, error, retry } = useDrawnRun(given);
  const { lanes, nowMs } = useLanes(run);
  const view = useTimelineView(run);
  const [layers, setLayers] = useState<Layers | null>(null);
  const [past, setPast] = useState<Past | null>(null);
  const scroller = wide ? pane : page;
  const shared = { lanes, createdAt: run.createdAt, nowMs, selected, opensAt, onSelect, view, scroller };
  return (
    <div ref={setPane} className="min-w-0 xl:flex-1 xl:overflow-y-auto">
      {run.steps.length === 0 ? (
        <EmptyState title="No step has started">The timeline grows as the run reaches its steps.</EmptyState>
      ) : view.view === "timeline" ? (
        <>
          {view.at !== null && (
            <HistoryBar run={run} at={view.at} onAt={view.setAt} onPast={setPast} onSelect={onSelect} />
          )}
          <Timeline {...shared} past={past} run={run} layers={layers} count={run.steps.length} />
        </>
      ) : (
        <StepList {...shared} runId={run.id} layers={layers} />
      )}
      {run.steps.length > 0 && view.overlays.length > 0 && (
        <ReadLayers runId={run.id} shown={view.overlays} onLayers={setLayers} />
      )}
      {missing > 0 && (
        // Overlays the scrolled content: no row moves when it appears or disappears.
        <p
          role="status"
          className="sticky bottom-3 mx-auto flex w-fit items-center gap-2 rounded-full border border-line-strong bg-panel px-3 py-1 text-ink-2 text-small shadow-float"
        >
          {error ? `${plural(missing, "step")} could not be read.` : `Reading ${plural(missing, "more step")}…`}
          {error && (
            <Button size="small" onClick={retry}>
              Try again
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
