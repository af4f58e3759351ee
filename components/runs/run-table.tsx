"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import { memo } from "react";
import type { RunListItem } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { RowCheckbox } from "../ui/row-checkbox";
import { RUN_COLUMNS } from "./run-columns";
import { businessKeyOf } from "./run-words";
import type { RunSelection } from "./use-run-selection";

export const ROW_HEIGHT = 34;
const SELECT_CELL = "h-[inherit] w-12 p-0 pl-4";

interface RunTableProps {
  runs: RunListItem[];
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  selected: string | null;
  /** A plain click; a click with a modifier follows the link. */
  onChoose: (runId: string) => void;
  /** Pressed by key. */
  onOpen: (runId: string) => void;
  /** The rows that were chosen to act on. */
  selection: RunSelection;
}

/** Only the rows in sight are drawn; two spacer rows keep the scrollbar true. */
export function RunTable({ runs, virtualizer, selected, onChoose, onOpen, selection }: RunTableProps) {
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <table aria-rowcount={runs.length + 1} className="w-full table-fixed border-collapse">
      <thead className="sticky top-0 z-10 bg-bg">
        <tr className="h-[30px] text-left text-ink-3 text-small shadow-[inset_0_-1px_0_var(--line)]">
          <th scope="col" className={SELECT_CELL}>
            <RowCheckbox
              label="Select the runs that are loaded"
              checked={selection.all || (selection.ids.size > 0 && (selection.ids.size >= runs.length || "some"))}
              onToggle={selection.toggleLoaded}
            />
          </th>
          {RUN_COLUMNS.map((column) => (
            <th key={column.name} scope="col" className={classNames("px-2 font-normal", column.className)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Spacer height={before} />
        {items.map(({ index }) => {
          const run = runs[index];
          return run ? (
            <RunRow
              key={run.id}
              run={run}
              index={index}
              selected={run.id === selected}
              checked={selection.isSelected(run.id)}
              onToggle={selection.toggle}
              onChoose={onChoose}
              onOpen={onOpen}
            />
          ) : null;
        })}
        <Spacer height={after} />
      </tbody>
    </table>
  );
}

const Spacer = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr aria-hidden>
      {/* One cell alone: a span over hidden columns would make them. */}
      <td style={{ height }} />
    </tr>
  ) : null;

interface RunRowProps {
  run: RunListItem;
  index: number;
  selected: boolean;
  checked: boolean;
  onToggle: (runId: string, extend: boolean) => void;
  onChoose: (runId: string) => void;
  onOpen: (runId: string) => void;
}

const RunRow = memo(function RunRow({ run, index, selected, checked, onToggle, onChoose, onOpen }: RunRowProps) {
  const onClick = (event: React.MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const byKey = event.detail === 0;
    if (byKey) onOpen(run.id);
    else onChoose(run.id);
  };
  return (
    <tr
      id={rowId(run.id)}
      aria-rowindex={index + 2}
      aria-current={selected || undefined}
      style={{ height: ROW_HEIGHT }}
      className={classNames(
        "relative border-line border-b transition-colors",
        selected ? "bg-accent-soft" : checked ? "bg-sunken" : "hover:bg-sunken",
      )}
    >
      <td className={SELECT_CELL}>
        <RowCheckbox
          label={`Select ${businessKeyOf(run) ?? run.id}`}
          checked={checked}
          onToggle={(extend) => onToggle(run.id, extend)}
        />
      </td>
      {RUN_COLUMNS.map((column) => (
        <td key={column.name} className={classNames("truncate px-2", column.className)}>
          {column.cell(run, { href: `/runs/${run.id}`, onClick })}
        </td>
      ))}
    </tr>
  );
});

export const rowId = (runId: string) => `run-${runId}`;
