"use client";

import { History, Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/form/segmented";
import { IconButton } from "@/components/ui/icon-button";
import { type HistoryRun, momentsOf } from "../history/moments";
import { LayerChoices } from "../layers/layer-choices";
import type { TimelineView } from "./use-timeline-view";

export interface TimelineToolsProps {
  run: HistoryRun & { id: string };
  view: TimelineView;
  onZoomIn: () => void;
  onZoomOut: () => void;
}

/** What is drawn over the timeline, the way into the run's history, how time is shown and how much of it. */
export function TimelineTools({ run, view, onZoomIn, onZoomOut }: TimelineToolsProps) {
  const isPast = view.at !== null;
  const open = () => view.setAt((momentsOf(run).at(-1)?.atMs ?? 0) - Date.parse(run.createdAt));
  return (
    <div className="ml-auto flex flex-wrap items-center justify-end gap-1.5">
      <LayerChoices runId={run.id} shown={view.overlays} onToggle={view.toggleOverlay} />
      <Button
        variant="ghost"
        aria-label="History"
        aria-pressed={isPast}
        onClick={() => (isPast ? view.setAt(null) : open())}
        className="aria-pressed:bg-accent-soft max-md:w-11 max-md:px-0"
      >
        <History aria-hidden className="size-3.5" />
        <span className="max-lg:hidden">History</span>
      </Button>
      <Segmented
        label="Times"
        value={view.axis}
        onChange={view.setAxis}
        options={[
          { value: "elapsed", text: "Elapsed" },
          { value: "clock", text: "Clock" },
        ]}
      />
      <span className="flex">
        <IconButton label="Zoom out (−)" onClick={onZoomOut} disabled={view.window === null}>
          <ZoomOut aria-hidden className="size-4" />
        </IconButton>
        <IconButton label="Zoom in (+)" onClick={onZoomIn}>
          <ZoomIn aria-hidden className="size-4" />
        </IconButton>
        <IconButton label="The whole run (0)" onClick={() => view.setWindow(null)} disabled={view.window === null}>
          <Maximize2 aria-hidden className="size-3.5" />
        </IconButton>
      </span>
    </div>
  );
}
