"use client";

import { Panel, useReactFlow } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";

/** Nearer, farther, all of it. */
export function GraphControls() {
  const flow = useReactFlow();
  return (
    <Panel position="bottom-left" className="flex gap-1 rounded-lg border border-line bg-panel p-1 shadow-card">
      <IconButton label="Zoom in" onClick={() => void flow.zoomIn()}>
        <Plus aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="Zoom out" onClick={() => void flow.zoomOut()}>
        <Minus aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="Fit to screen" onClick={() => void flow.fitView({ maxZoom: 1, padding: 0.06 })}>
        <Maximize aria-hidden className="size-4" />
      </IconButton>
    </Panel>
  );
}
