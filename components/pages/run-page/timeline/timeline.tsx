"use client";

import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { PHONE, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { later } from "@/components/ui/later";
import { roomAtFirst } from "@/components/ui/table/room-at-first";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { plural } from "@/lib/format";
import type { Past } from "../history/history-bar";
import type { HistoryRun } from "../history/moments";
import type { Lane } from "../lanes/lanes";
import { idleWord, scalesOf, wholeScale } from "../lanes/scales";
import type { Axis } from "../lanes/ticks";
import type { TimeScale } from "../lanes/time-scale";
import type { Layers } from "../layers/layer";
import type { BarHintProps } from "./bar-hint";
import { heightOf } from "./columns";
import { itemsOf, loopKey, type TimelineItem } from "./items";
import { lanesWithChildren, withChildren } from "./nested";
import { TimelineRow } from "./timeline-row";
import { Toolbar } from "./toolbar";
import { useClock } from "./use-clock";
import { type DrawnRow, rowsAround, useHeldRows } from "./use-held-rows";
import { useNestedRuns } from "./use-nested-runs";
import { useRowKeys } from "./use-row-keys";
import type { TimelineView } from "./use-timeline-view";
import { useZoom } from "./use-zoom";
import { offsetIn, VirtualRows } from "./virtual-rows";

// Of long runs.
const Minimap = later(
  () => import("./minimap").then((part) => part.Minimap),
  <div className="h-[49px] border-line border-b" />,
);
const TimelineLegend = later(() => import("./legend").then((part) => part.TimelineLegend));
// Shown once a bar is pointed at.
const BarHint = later(() => import("./bar-hint").then((part) => part.BarHint));

/** With fewer rows a minimap adds nothing. */
const STRIP_FROM = 16;
const STRIP_FROM_LANES = 4;

interface TimelineProps {
  run: HistoryRun & { id: string };
  /** A moment of its history, in the place of now. */
  past: Past | null;
  /** What is drawn beside the bars; null until it is there. */
  layers: Layers | null;
  lanes: Lane[];
  /** Of the run's steps, so far. */
  count: number;
  createdAt: string;
  nowMs: number | null;
  selected: { name: string; generation: number } | null;
  /** The name of the step that comes into sight. */
  opensAt: string | null;
  onSelect: (step: DrawnStep) => void;
  view: TimelineView;
  /** What the timeline scrolls in. */
  scroller: HTMLDivElement | null;
}

/** Steps over time, one lane per repair generation. */
export function Timeline(props: TimelineProps) {
  const { lanes, past, count, createdAt, selected, view, scroller } = props;
  // The axis is that of the whole run: bars grow on it, and none moves.
  const then = past?.lanes ?? lanes;
  const nested = useNestedRuns(view.children, view.whole);
  const items = useMemo(
    () => withChildren(itemsOf(then, view, selected), nested, view.window),
    [then, view, selected, nested],
  );
  const all = useMemo(() => lanesWithChildren(lanes, nested), [lanes, nested]);
  const scales = useMemo(() => scalesOf(all, view.window, view.unfolded), [all, view.window, view.unfolded]);
  const whole = useMemo(() => wholeScale(all, view.unfolded), [all, view.unfolded]);
  const times = useTimes();
  const clock = useClock(times, createdAt);
  const at = (target: EventTarget | null, x: number) => instantAt({ items, scales, layers: props.layers }, target, x);
  const zoomable = { lanes, whole, window: view.window, onWindow: view.setWindow };
  const held = useRef<readonly DrawnRow[]>([]);
  const { zoomIn, zoomOut } = useZoom(scroller, zoomable, anchorOf(lanes, selected, view.window), (target, x) => {
    const found = at(target, x);
    // What is out of the window has no rows: those beneath the pointer stay there.
    if (found && scroller) held.current = rowsAround(scroller, target, (index) => items[index] && keyOf(items[index]));
    return found?.ms ?? null;
  });
  const axisOf = (lane: Lane): Axis => {
    if (view.axis === "clock") return { times };
    return { from: view.window ? Date.parse(createdAt) : lane.startMs };
  };
  return (
    <div>
      <Toolbar view={view} lanes={lanes} tools={{ run: props.run, onZoomIn: zoomIn, onZoomOut: zoomOut }} />
      {(count >= STRIP_FROM || lanes.length >= STRIP_FROM_LANES || view.window) && (
        <Minimap lanes={lanes} atMs={past?.atMs ?? null} whole={whole} window={view.window} onWindow={view.setWindow} />
      )}
      <TimelineRows {...props} {...{ items, scales, clock, axisOf, held }} barsAt={at} />
      <TimelineLegend lanes={all} overlays={props.layers ? view.overlays : []} />
    </div>
  );
}

interface TimelineRowsProps extends TimelineProps {
  items: TimelineItem[];
  scales: Map<string, TimeScale>;
  clock: (ms: number) => string;
  axisOf: (lane: Lane) => Axis;
  barsAt: BarHintProps["barsAt"];
  /** Rows that keep their place when others go. */
  held: RefObject<readonly DrawnRow[]>;
}

/** Only the rows in sight are drawn: a run may have ten thousand. */
function TimelineRows(props: TimelineRowsProps) {
  const { items, scales, lanes, count, nowMs, clock, axisOf, barsAt, selected, opensAt, onSelect, view, scroller } =
    props;
  const { layers, past } = props;
  const list = useRef<HTMLUListElement>(null);
  const screen = useMediaQuery(PHONE) ? "phone" : "wide";
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    ...useMeasures(items, screen),
    // The content above the rows scrolls with them.
    scrollMargin: list.current && scroller ? offsetIn(list.current, scroller) : 0,
    overscan: 10,
    initialRect: roomAtFirst(),
  });
  useRowKeys({
    area: list,
    steps: useMemo(() => items.map(stepOf), [items]),
    chosen: selected,
    opensAt,
    onChoose: onSelect,
    virtualizer,
  });
  useHeldRows(
    props.held,
    useMemo(() => items.map(keyOf), [items]),
    virtualizer,
  );
  const isThen = useThen(items, past, virtualizer);
  return (
    <>
      <VirtualRows list={list} label={`Timeline of ${plural(count, "step")}`} rows={items} virtualizer={virtualizer}>
        {(item) => (
          <TimelineRow
            item={item}
            scale={scales.get(item.lane.key) as TimeScale}
            axis={axisOf(item.lane)}
            nowMs={past ? past.atMs : isGoingOn(lanes, item.lane) ? nowMs : null}
            happened={isThen(item)}
            clock={clock}
            layers={layers}
            selected={selected}
            onSelect={onSelect}
            onToggleLane={lanes.length > 1 ? view.toggleLane : null}
            view={view}
            wordOf={(fold) => idleWord(view.window ? lanes : lanes.filter(({ key }) => key === item.lane.key), fold)}
          />
        )}
      </VirtualRows>
      <BarHint area={list} barsAt={barsAt} clock={clock} />
    </>
  );
}

/** What happened at the moment of the history that is shown comes into sight, and its rows are marked. */
function useThen(items: TimelineItem[], past: Past | null, virtualizer: Virtualizer<HTMLDivElement, Element>) {
  const isThen = (item: TimelineItem) =>
    item.type === "step" &&
    !item.place &&
    past?.steps.some(
      ({ name, generation }) => name === item.row.step.name && generation === item.row.step.generation,
    ) === true;
  const index = items.findIndex(isThen);
  useEffect(() => {
    if (past && index >= 0) virtualizer.scrollToIndex(index, { align: "auto" });
  }, [past, index, virtualizer]);
  return isThen;
}

/** Stable while the rows are: otherwise each row is measured again. */
function useMeasures(items: TimelineItem[], screen: "wide" | "phone") {
  return useMemo(
    () => ({
      estimateSize: (index: number) => heightOf(items[index] as TimelineItem, screen),
      getItemKey: (index: number) => keyOf(items[index] as TimelineItem),
    }),
    [items, screen],
  );
}

/** The steps that can be selected here: a child's are selected on its page. */
const stepOf = (item: TimelineItem) =>
  item.type === "step" && item.lane.kind !== "undo" && !item.place ? item.row.step : null;

/** Only the last generation goes on, and the compensations. */
const isGoingOn = (lanes: readonly Lane[], lane: Lane) =>
  lane.kind === "undo" || lane === lanes.findLast(({ kind }) => kind !== "undo");

function keyOf(item: TimelineItem): string {
  const inside = "place" in item && item.place ? ` ${item.place.runId}` : "";
  const lane = `${item.lane.kind} ${item.lane.generation}${inside}`;
  if (item.type === "step") return `${lane} step ${item.row.step.name}`;
  return item.type === "loop" ? `${lane} loop ${loopKey(item.lane, item.loop)}` : `${item.type} ${lane}`;
}

/** What the keys zoom around: the step that is chosen, else the middle of what is seen. */
function anchorOf(lanes: readonly Lane[], selected: TimelineProps["selected"], window: TimelineView["window"]): number {
  for (const { rows } of selected ? lanes : [])
    for (const { step, segments } of rows)
      if (step.name === selected?.name && step.generation === selected.generation) return segments.at(-1)?.from ?? 0;
  if (window) return (window.from + window.to) / 2;
  const last = lanes.at(-1);
  return last ? (last.startMs + last.endMs) / 2 : 0;
}

/** A bar may be drawn so much wider than it is long. */
const SLACK_PX = 4;

type Drawn = Pick<TimelineRowsProps, "items" | "scales" | "layers">;

/** The instant at a place of a row, and the bars there. */
function instantAt({ items, scales, layers }: Drawn, target: EventTarget | null, x: number) {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  const item = element && items[Number(element.dataset.index)];
  const scale = item && scales.get(item.lane.key);
  const track = element?.querySelector("[data-track]")?.getBoundingClientRect();
  if (!scale || !track || x < track.left - SLACK_PX || x > track.right + SLACK_PX) return null;
  const ms = scale.timeAt((x - track.left) / track.width);
  const beside = scale.timeAt((x + SLACK_PX - track.left) / track.width);
  const row = item.type === "step" ? item.row : null;
  const marks = item.type === "step" && !item.place ? (layers?.ofRow(item.row) ?? []) : [];
  const notes = marks.filter(({ href }) => href === null);
  return {
    ...{ name: row?.step.name ?? "", segments: row?.segments ?? [] },
    ...{ notes: notes.map(({ text }) => text), ms, slackMs: beside - ms },
  };
}
