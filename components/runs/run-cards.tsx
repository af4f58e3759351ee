"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import { memo } from "react";
import type { RunListItem } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { shortenMiddle } from "@/lib/format";
import { lookOfRun } from "../status/run-looks";
import { StatusLabel } from "../status/status-label";
import { Instant } from "../time/instant";
import { RowCheckbox } from "../ui/row-checkbox";
import { rowId } from "./row-id";
import { NowAtText, StepsOrProgress } from "./run-cells";
import { LEFT } from "./run-table";
import { businessKeyOf } from "./run-words";
import { flashOf, useFlash } from "./use-flash";
import type { RunSelection } from "./use-run-selection";

export const CARD_HEIGHT = 84;

interface RunCardsProps {
  runs: RunListItem[];
  /** Ids of those that no longer fit the filter. */
  left: ReadonlySet<string>;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  selection: RunSelection;
}

/** The list on a phone: each run as high as a thumb needs, and opened by it; its box is as wide as one. */
export function RunCards({ runs, left, virtualizer, selection }: RunCardsProps) {
  return (
    <ul aria-label="Runs" className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const run = runs[index];
        return run ? (
          <li
            key={run.id}
            id={rowId(run.id)}
            className="absolute inset-x-0 border-line border-b"
            style={{ height: CARD_HEIGHT, transform: `translateY(${start}px)` }}
          >
            <RunCard
              run={run}
              left={left.has(run.id)}
              checked={selection.isSelected(run.id)}
              onToggle={selection.toggle}
            />
          </li>
        ) : null;
      })}
    </ul>
  );
}

interface RunCardProps {
  run: RunListItem;
  left: boolean;
  checked: boolean;
  onToggle: (runId: string) => void;
}

const RunCard = memo(function RunCard({ run, left, checked, onToggle }: RunCardProps) {
  const card = useFlash<HTMLDivElement>(flashOf(run));
  return (
    <div ref={card} className={classNames("flex h-full", checked && "bg-sunken", left && LEFT)}>
      <div className="w-11 shrink-0">
        <RowCheckbox
          label={`Select ${businessKeyOf(run) ?? run.id}`}
          checked={checked}
          onToggle={() => onToggle(run.id)}
        />
      </div>
      <Link
        href={`/runs/${run.id}`}
        prefetch={false}
        data-ring="inside"
        className="flex min-w-0 flex-1 flex-col justify-center gap-1 pr-4 active:bg-gray-soft"
      >
        <span className="flex items-center justify-between gap-3">
          <StatusLabel look={lookOfRun(run)} />
          <Instant at={run.startedAt ?? run.createdAt} as="relative" className="shrink-0 text-ink-3 text-small" />
        </span>
        <span className="flex items-baseline gap-2">
          <span className="truncate font-mono text-small">{businessKeyOf(run) ?? shortenMiddle(run.id)}</span>
          <span className="truncate text-ink-3 text-small">{run.workflow}</span>
        </span>
        <span className="flex items-center justify-between gap-3">
          <span className="truncate">
            <NowAtText run={run} />
          </span>
          <StepsOrProgress run={run} most={6} />
        </span>
      </Link>
    </div>
  );
});
