"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDownWideNarrow, ListOrdered } from "lucide-react";
import { useMemo, useRef } from "react";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Segmented } from "@/components/ui/form/segmented";
import { PHONE, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import type { DrawnStep } from "@/lib/api/contract/steps";
import { plural } from "@/lib/format";
import type { Lane, StepRow } from "../lanes/lanes";
import { wholeScale } from "../lanes/scales";
import type { Layers } from "../layers/layer";
import { LayerChoices } from "../layers/layer-choices";
import { isSeen } from "./items";
import { StepListRow } from "./step-list-row";
import { Toolbar } from "./toolbar";
import { useClock } from "./use-clock";
import { useRowKeys } from "./use-row-keys";
import type { TimelineView } from "./use-timeline-view";
import { offsetIn, VirtualRows } from "./virtual-rows";

const ROW_HEIGHT = { wide: 32, phone: 64 };

interface StepListProps {
  runId: string;
  /** What is drawn beside the bars; null until it is there. */
  layers: Layers | null;
  lanes: Lane[];
  createdAt: string;
  nowMs: number | null;
  selected: { name: string; generation: number } | null;
  opensAt: string | null;
  onSelect: (step: DrawnStep) => void;
  view: TimelineView;
  scroller: HTMLDivElement | null;
}

/** The same steps as a dense list, one line each: in order, or the longest first. */
export function StepList(props: StepListProps) {
  const { lanes, nowMs, selected, onSelect, view, scroller } = props;
  const list = useRef<HTMLUListElement>(null);
  const rows = useMemo(() => listed(lanes, view), [lanes, view]);
  const whole = useMemo(() => wholeScale(lanes, view.unfolded), [lanes, view.unfolded]);
  const clock = useClock(useTimes(), props.createdAt);
  const screen = useMediaQuery(PHONE) ? "phone" : "wide";
  // Stable while the rows are: otherwise each row is measured again.
  const measures = useMemo(
    () => ({ estimateSize: () => ROW_HEIGHT[screen], getItemKey: (index: number) => keyOf(rows[index] as StepRow) }),
    [rows, screen],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    ...measures,
    scrollMargin: list.current && scroller ? offsetIn(list.current, scroller) : 0,
    overscan: 12,
  });
  useRowKeys({
    area: list,
    steps: useMemo(() => rows.map(({ step }) => step), [rows]),
    chosen: selected,
    opensAt: props.opensAt,
    onChoose: onSelect,
    virtualizer,
  });
  return (
    <div>
      <Toolbar view={view} lanes={lanes} />
      <ListHead count={rows.length} runId={props.runId} view={view} />
      {rows.length === 0 && <EmptyState title="No matching steps">Remove a filter to see more.</EmptyState>}
      <VirtualRows list={list} label={`Steps: ${rows.length}`} rows={rows} virtualizer={virtualizer}>
        {(row) => (
          <StepListRow
            row={row}
            scale={whole}
            nowMs={nowMs}
            clock={clock}
            marks={props.layers?.ofRow(row)}
            several={lanes.length > 1}
            selected={row.step.name === selected?.name && row.step.generation === selected.generation}
            onSelect={onSelect}
          />
        )}
      </VirtualRows>
    </div>
  );
}

function ListHead({ count, runId, view }: { count: number; runId: string; view: TimelineView }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-line border-b px-4 py-1.5 text-ink-3 text-small md:px-6">
      <span role="status" className="mr-auto">
        {plural(count, "step")}
      </span>
      <LayerChoices runId={runId} shown={view.overlays} onToggle={view.toggleOverlay} />
      <Segmented
        label="Order"
        value={view.sort}
        onChange={view.setSort}
        options={[
          { value: "order", text: <Option icon={ListOrdered} text="In order" /> },
          { value: "duration", text: <Option icon={ArrowDownWideNarrow} text="Longest" /> },
        ]}
      />
    </div>
  );
}

const keyOf = ({ step }: StepRow) => `${step.generation} ${step.name}`;

function Option({ icon: Icon, text }: { icon: typeof ListOrdered; text: string }) {
  return (
    <span className="flex items-center justify-center gap-1.5">
      <Icon aria-hidden className="size-3.5" />
      {text}
    </span>
  );
}

/** Compensated steps are listed with their step. */
function listed(lanes: readonly Lane[], view: TimelineView): StepRow[] {
  const sight = { find: view.find, only: view.only, window: null };
  const rows = lanes
    .filter(({ kind }) => kind !== "undo")
    .flatMap((lane) => lane.rows.filter((row) => isSeen(row, sight)));
  return view.sort === "duration" ? rows.sort((a, b) => (b.tookMs ?? -1) - (a.tookMs ?? -1)) : rows;
}
