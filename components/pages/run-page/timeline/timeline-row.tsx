import { Button } from "@/components/ui/button";
import { later } from "@/components/ui/later";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { plural } from "@/lib/format";
import type { Lane } from "../lanes/lanes";
import type { Axis } from "../lanes/ticks";
import type { Fold, TimeScale } from "../lanes/time-scale";
import type { Layers } from "../layers/layer";
import { loopKey, type TimelineItem } from "./items";
import { TimelineLaneHeader } from "./lane-header";
import { childOf } from "./nested";
import { TimelineStepRow } from "./step-row";
import type { TimelineView } from "./use-timeline-view";

// Shown once a child is opened.
const LoopRow = later(() => import("./loop-row").then((part) => part.LoopRow));
const ChildHead = later(() => import("./child-head").then((part) => part.ChildHead));
const ChildRest = later(() => import("./child-head").then((part) => part.ChildRest));

interface TimelineRowProps {
  item: TimelineItem;
  scale: TimeScale;
  axis: Axis;
  nowMs: number | null;
  clock: (ms: number) => string;
  layers: Layers | null;
  /** Something happened to it at the moment of the history that is shown. */
  happened: boolean;
  selected: { name: string; generation: number } | null;
  onSelect: (step: DrawnStep) => void;
  onToggleLane: ((key: string) => void) | null;
  view: TimelineView;
  wordOf: (fold: Fold) => string;
}

/** Any item of the timeline. */
export function TimelineRow({ item, scale, nowMs, selected, ...props }: TimelineRowProps) {
  const { lane } = item;
  const toggle = props.onToggleLane;
  switch (item.type) {
    case "lane":
      return (
        <TimelineLaneHeader
          lane={lane}
          open={item.open}
          outside={item.outside ?? false}
          onToggle={item.outside ? () => props.view.setWindow(spanOf(lane)) : toggle && (() => toggle(lane.key))}
          scale={scale}
          axis={props.axis}
          marks={props.layers?.ofLane(lane)}
          wordOf={props.wordOf}
          onToggleFold={props.view.toggleFold}
        />
      );
    case "kept":
      return <Kept lane={lane} />;
    case "child":
      return <ChildHead child={item.child} place={item.place} />;
    case "more":
      return (
        <ChildRest
          rest={item.rest}
          depth={item.place.depth}
          onToggle={() => props.view.toggleWhole(item.place.runId)}
        />
      );
    case "rest":
      return <Rest count={item.count} onShowAll={props.view.showAll} />;
    case "loop":
      return (
        <LoopRow
          loop={item.loop}
          open={item.open}
          scale={scale}
          nowMs={nowMs}
          onToggle={() => props.view.toggleLoop(loopKey(lane, item.loop))}
        />
      );
    case "step": {
      const { step } = item.row;
      return (
        <TimelineStepRow
          kind={lane.kind}
          row={item.row}
          inLoop={item.inLoop}
          scale={scale}
          nowMs={nowMs}
          clock={props.clock}
          marks={item.place || lane.kind === "undo" ? undefined : props.layers?.ofRow(item.row)}
          place={item.place}
          happened={props.happened}
          child={childToggle(item, props.view)}
          selected={item.place === undefined && step.name === selected?.name && step.generation === selected.generation}
          onSelect={props.onSelect}
        />
      );
    }
  }
}

function childToggle({ row, lane, place }: Extract<TimelineItem, { type: "step" }>, view: TimelineView) {
  const child = childOf(row, lane.kind, place?.depth ?? 0);
  return child === null ? null : { open: view.children.includes(child), toggle: () => view.toggleChild(child) };
}

const spanOf = ({ startMs, endMs }: Lane) => ({ from: startMs, to: Math.max(startMs + 1, endMs) });

function Kept({ lane: { kept } }: { lane: Lane }) {
  if (!kept) return null;
  const rest = kept.count - 1;
  return (
    <p className="flex h-full items-center gap-2 border-line border-t px-4 text-ink-3 text-small md:px-6">
      <span aria-hidden className="pattern-kept h-2.5 w-3.5 rounded-[2px]" />
      <span className="truncate">
        <span className="font-mono">{kept.first}</span>
        {rest > 0 && ` and ${plural(rest, "other")}`}: {rest > 0 ? "results" : "result"} kept
      </span>
    </p>
  );
}

/** States how many rows are left out, with a way to show them. */
function Rest({ count, onShowAll }: { count: number; onShowAll: () => void }) {
  return (
    <p className="flex h-full items-center gap-2 border-line border-t px-4 text-ink-3 text-small md:px-6">
      {plural(count, "step")} not shown
      <Button variant="ghost" size="small" onClick={onShowAll}>
        Show all
      </Button>
    </p>
  );
}
