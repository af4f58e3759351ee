"use client";

import { History } from "lucide-react";
import { Button } from "@/components/ui/button";
import { type HistoryRun, momentsOf } from "../history/moments";
import { LayerChoices } from "../layers/layer-choices";
import type { TimelineView } from "./use-timeline-view";

/** What is drawn over the timeline, and the way into the run's history. */
export function TimelineTools({ run, view }: { run: HistoryRun & { id: string }; view: TimelineView }) {
  const isPast = view.at !== null;
  const open = () => view.setAt((momentsOf(run).at(-1)?.atMs ?? 0) - Date.parse(run.createdAt));
  return (
    <>
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
    </>
  );
}
