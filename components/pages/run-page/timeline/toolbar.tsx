"use client";

import { useMemo, useRef } from "react";
import { STEP_LOOKS } from "@/components/domain/run/step-looks";
import { useHotkeys } from "@/components/parts/keys/use-hotkeys";
import { StatusLabel } from "@/components/parts/status/status-label";
import { ChipButton } from "@/components/ui/chip-button";
import { SearchField } from "@/components/ui/form/search-field";
import { Segmented } from "@/components/ui/form/segmented";
import { later } from "@/components/ui/later";
import { KeyboardKey } from "@/components/ui/text/keyboard-key";
import { STEP_STATUSES, type StepStatus } from "@/lib/engine/steps/step";
import { formatCount } from "@/lib/format";
import type { Lane } from "../lanes/lanes";
import type { TimelineToolsProps } from "./tools";
import type { TimelineView } from "./use-timeline-view";

/** Fewer steps are found with the eye. */
const FILTERS_FROM = 8;

const TimelineTools = later(
  () => import("./tools").then((part) => part.TimelineTools),
  <span className="ml-auto h-11 w-80 max-w-full md:h-8 md:w-96" />,
);

interface ToolbarProps {
  view: TimelineView;
  lanes: readonly Lane[];
  /** Of a timeline. */
  tools?: Omit<TimelineToolsProps, "view">;
}

/** Timeline or list, what to look for, and how time is shown. */
export function Toolbar({ view, lanes, tools }: ToolbarProps) {
  const field = useRef<HTMLInputElement>(null);
  const counts = useMemo(() => countByStatus(lanes), [lanes]);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  useHotkeys({ f: () => field.current?.focus() });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2 md:px-6">
      <Segmented
        label="View of the steps"
        value={view.view}
        onChange={view.setView}
        options={[
          { value: "timeline", text: "Timeline" },
          { value: "steps", text: "Steps" },
        ]}
      />
      {(total >= FILTERS_FROM || view.find !== "") && (
        <SearchField
          label="Find a step by its name or error"
          placeholder="Find a step"
          value={view.find}
          onChange={view.setFind}
          inputRef={field}
          className="min-w-36 flex-1 md:max-w-48"
          hint={
            <span className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2 max-md:hidden">
              <KeyboardKey>F</KeyboardKey>
            </span>
          }
          onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
        />
      )}
      {(counts.size > 1 || view.only.length > 0) && total >= FILTERS_FROM && (
        <StatusChips counts={counts} view={view} />
      )}
      {tools && <TimelineTools view={view} {...tools} />}
    </div>
  );
}

function StatusChips({ counts, view }: { counts: Map<StepStatus, number>; view: TimelineView }) {
  return (
    <fieldset className="flex flex-wrap gap-0.5">
      <legend className="sr-only">Steps by status</legend>
      {STEP_STATUSES.filter((status) => counts.has(status) || view.only.includes(status)).map((status) => (
        <ChipButton key={status} on={view.only.includes(status)} onClick={() => view.toggleOnly(status)}>
          <span title={STEP_LOOKS[status].word} className="inline-flex">
            <StatusLabel look={STEP_LOOKS[status]} shapeOnly />
          </span>{" "}
          <span className="text-ink-3 tabular-nums">{formatCount(counts.get(status) ?? 0)}</span>
        </ChipButton>
      ))}
    </fieldset>
  );
}

function countByStatus(lanes: readonly Lane[]): Map<StepStatus, number> {
  const counts = new Map<StepStatus, number>();
  for (const { kind, rows } of lanes)
    for (const { step } of kind === "undo" ? [] : rows) counts.set(step.status, (counts.get(step.status) ?? 0) + 1);
  return counts;
}
