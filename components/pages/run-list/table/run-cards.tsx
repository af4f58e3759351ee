"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import { memo } from "react";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { onPlainClick } from "@/components/parts/keys/plain-click";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { SHORT, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { RowCheckbox } from "@/components/ui/table/row-checkbox";
import type { RunListItem } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { nameOfRun } from "@/lib/format/run-name";
import { LINK_COLUMN } from "../address/column-url";
import { NowAtText, StepsOrProgress } from "../columns/run-cells";
import type { RowLink, RunColumn } from "../columns/run-column";
import type { RunColumns } from "../columns/use-run-columns";
import type { RunSelection } from "../selection/use-run-selection";
import { rowId } from "./row-id";
import { LEFT } from "./run-table";
import { flashOf, useFlash } from "./use-flash";

const USUAL_HEIGHT = { three: 84, two: 48 };

/** In pixels: what is chosen for the table is what a card says, a line each. On a short screen a usual card has two lines of its three. */
export const cardHeight = ({ usual, definitions }: RunColumns, short: boolean) =>
  usual ? USUAL_HEIGHT[short ? "two" : "three"] : linesHeight(definitions);

interface RunCardsProps {
  runs: RunListItem[];
  /** Ids of those that no longer fit the filter. */
  left: ReadonlySet<string>;
  columns: RunColumns;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** The one in the inspector. */
  selected: string | null;
  onChoose: (runId: string) => void;
  selection: RunSelection;
}

/** The list on a phone: each run as high as a thumb needs, and shown by it; its box is as wide as one. */
export function RunCards({ runs, left, columns, virtualizer, selected, onChoose, selection }: RunCardsProps) {
  const chosen = columns.usual ? null : columns.definitions;
  return (
    <ul aria-label="Runs" className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start, size }) => {
        const run = runs[index];
        return run ? (
          <li
            key={run.id}
            id={rowId(run.id)}
            aria-current={run.id === selected || undefined}
            className="absolute inset-x-0 border-line border-b"
            style={{ height: size, transform: `translateY(${start}px)` }}
          >
            <RunCard
              run={run}
              columns={chosen}
              left={left.has(run.id)}
              checked={selection.isSelected(run.id)}
              onToggle={selection.toggle}
              onChoose={onChoose}
            />
          </li>
        ) : null;
      })}
    </ul>
  );
}

interface RunCardProps {
  run: RunListItem;
  /** Null: what a card usually says. */
  columns: readonly RunColumn[] | null;
  left: boolean;
  checked: boolean;
  onToggle: (runId: string) => void;
  onChoose: (runId: string) => void;
}

const RunCard = memo(function RunCard({ run, columns, left, checked, onToggle, onChoose }: RunCardProps) {
  const card = useFlash<HTMLDivElement>(flashOf(run));
  const link = { href: `/runs/${run.id}`, onClick: onPlainClick(() => onChoose(run.id)) };
  return (
    <div ref={card} className={classNames("flex h-full", checked && "bg-sunken", left && LEFT)}>
      <div className="w-11 shrink-0">
        <RowCheckbox
          label={`Select ${titleOfRun(run) ?? run.id}`}
          checked={checked}
          onToggle={() => onToggle(run.id)}
        />
      </div>
      {columns ? <CardLines run={run} columns={columns} link={link} /> : <UsualCard run={run} link={link} />}
    </div>
  );
});

function UsualCard({ run, link }: { run: RunListItem; link: RowLink }) {
  const short = useMediaQuery(SHORT);
  const names = (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="truncate font-mono text-small">{nameOfRun(run.id, run)}</span>
      <span className="truncate text-ink-3 text-small">{run.workflow}</span>
    </span>
  );
  return (
    <Link
      {...link}
      prefetch={false}
      data-ring="inside"
      className="flex min-w-0 flex-1 flex-col justify-center gap-1 pr-4 active:bg-gray-soft"
    >
      <span className="flex items-center justify-between gap-3">
        <StatusLabel look={lookOfRun(run)} className="shrink-0" />
        {short && names}
        <Instant at={run.startedAt ?? run.createdAt} as="relative" className="ml-auto shrink-0 text-ink-3 text-small" />
      </span>
      {!short && names}
      <span className="flex items-center justify-between gap-3">
        <span className="truncate">
          <NowAtText run={run} />
        </span>
        <StepsOrProgress run={run} most={6} />
      </span>
    </Link>
  );
}

/** In pixels. */
const LINE = 24;
const AROUND = 20;

const STATUS = "status";

const inLines = (columns: readonly RunColumn[]) => columns.filter(({ id }) => id !== LINK_COLUMN && id !== STATUS);

export const linesHeight = (columns: readonly RunColumn[]) => AROUND + LINE * (1 + inLines(columns).length);

interface CardLinesProps {
  run: RunListItem;
  columns: readonly RunColumn[];
  link: RowLink;
}

/** The chosen columns as a card: the run's name and status, then a line each. */
export function CardLines({ run, columns, link }: CardLinesProps) {
  const cell = (id: string) => columns.find((column) => column.id === id)?.cell(run, link);
  return (
    <div className="flex min-w-0 flex-1 flex-col justify-center pr-4 active:bg-gray-soft">
      <div className="flex h-6 items-center justify-between gap-3">
        <div className="min-w-0 flex-1">{cell(LINK_COLUMN)}</div>
        <div className="shrink-0">{cell(STATUS)}</div>
      </div>
      <dl>
        {inLines(columns).map((column) => (
          <div key={column.id} className="flex h-6 items-center gap-3">
            <dt title={column.name} className="w-24 shrink-0 truncate text-ink-3 text-small">
              {column.name}
            </dt>
            <dd className="min-w-0 flex-1 truncate">{column.cell(run, link)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
