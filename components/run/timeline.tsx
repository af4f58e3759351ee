"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo } from "react";
import type { Run, Step } from "@/lib/api/contract/run";
import { hasEnded } from "@/lib/engine/run";
import { plural } from "@/lib/format";
import { useHotkeys } from "../shell/use-hotkeys";
import { useNow } from "../time/use-now";
import { PHONE, useMediaQuery } from "../ui/use-media-query";
import { ROW_HEIGHT_NARROW, ROW_HEIGHT_WIDE } from "./timeline-columns";
import { laneHeaderHeight, TimelineLaneHeader } from "./timeline-lane-header";
import { TimelineLegend } from "./timeline-legend";
import { type Lane, type TimelineItem, timelineItems, timelineLanes } from "./timeline-model";
import { TimelineStepRow } from "./timeline-step-row";

const KEPT_HEIGHT = 30;

interface TimelineProps {
  run: Run;
  selected: Step | null;
  onSelect: (step: Step) => void;
  /** What the timeline scrolls in. */
  scroller: HTMLDivElement | null;
}

/** Steps over time, one lane per repair generation. Only the rows in sight are drawn: a run may have ten thousand. */
export function Timeline({ run, selected, onSelect, scroller }: TimelineProps) {
  const lanes = useLanes(run);
  const items = useMemo(() => timelineItems(lanes), [lanes]);
  const rowHeight = useMediaQuery(PHONE) ? ROW_HEIGHT_NARROW : ROW_HEIGHT_WIDE;
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => heightOf(items[index], rowHeight),
    getItemKey: (index) => keyOf(items[index], index),
    overscan: 12,
  });
  useStepKeys(items, selected, (step, index) => {
    onSelect(step);
    virtualizer.scrollToIndex(index);
    const row = `[data-index="${index}"] button`;
    requestAnimationFrame(() => scroller?.querySelector<HTMLElement>(row)?.focus({ preventScroll: true }));
  });
  return (
    <div>
      <ul
        aria-label={`Timeline of ${plural(run.steps.length, "step")}`}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ key, index, start, size }) => (
          <li
            key={key}
            data-index={index}
            className="absolute inset-x-0"
            style={{ height: size, transform: `translateY(${start}px)` }}
          >
            <Item item={items[index]} selected={selected} onSelect={onSelect} />
          </li>
        ))}
      </ul>
      <TimelineLegend lanes={lanes} />
    </div>
  );
}

/** A run that has ended stands still; one under way grows every second. */
function useLanes(run: Run): Lane[] {
  const now = useNow();
  const still = hasEnded(run.status);
  const nowMs = still ? Date.parse(run.finishedAt ?? run.createdAt) : (now ?? Date.parse(run.createdAt));
  return useMemo(() => timelineLanes(run, nowMs), [run, nowMs]);
}

function useStepKeys(items: TimelineItem[], selected: Step | null, go: (step: Step, index: number) => void): void {
  const move = (by: 1 | -1) => {
    const at = items.findIndex((item) => item.type === "step" && item.row.step === selected);
    const from = at < 0 && by < 0 ? items.length : at;
    for (let index = from + by; index >= 0 && index < items.length; index += by) {
      const item = items[index];
      if (item?.type === "step" && item.lane.kind !== "undo") return go(item.row.step, index);
    }
  };
  useHotkeys({ j: () => move(1), k: () => move(-1) });
}

function heightOf(item: TimelineItem | undefined, rowHeight: number): number {
  if (item?.type === "lane") return laneHeaderHeight(item.lane);
  return item?.type === "kept" ? KEPT_HEIGHT : rowHeight;
}

function keyOf(item: TimelineItem | undefined, index: number): string | number {
  if (!item) return index;
  const lane = `${item.lane.kind} ${item.lane.generation}`;
  return item.type === "step" ? `${lane} ${item.row.step.name}` : `${item.type} ${lane}`;
}

function Item({
  item,
  selected,
  onSelect,
}: { item: TimelineItem | undefined } & Pick<TimelineProps, "selected" | "onSelect">) {
  if (!item) return null;
  if (item.type === "lane") return <TimelineLaneHeader lane={item.lane} />;
  if (item.type === "kept") return <Kept lane={item.lane} />;
  return <TimelineStepRow lane={item.lane} row={item.row} selected={item.row.step === selected} onSelect={onSelect} />;
}

function Kept({ lane: { kept } }: { lane: Lane }) {
  const [first] = kept;
  const rest = kept.length - 1;
  return (
    <p className="flex h-full items-center gap-2 border-line border-t px-4 text-ink-3 text-small md:px-6">
      <span aria-hidden className="pattern-kept h-2.5 w-3.5 rounded-[2px]" />
      <span className="truncate">
        <span className="font-mono">{first?.name}</span>
        {rest > 0 && ` and ${plural(rest, "other")}`}: {rest > 0 ? "results" : "result"} kept
      </span>
    </p>
  );
}
