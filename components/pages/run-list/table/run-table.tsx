"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, memo, useState } from "react";
import { onPlainClick } from "@/components/parts/keys/plain-click";
import { later } from "@/components/ui/later";
import { RowCheckbox } from "@/components/ui/table/row-checkbox";
import type { RunListItem } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import type { RunColumn } from "../columns/run-column";
import { type Density, ROW_HEIGHTS } from "../columns/use-density";
import type { RunColumns } from "../columns/use-run-columns";
import type { RunSelection } from "../selection/use-run-selection";
import type { PressedRow } from "./pressed-row";
import { rowId } from "./row-id";
import { RunHeader } from "./run-header";
import { flashOf, useFlash } from "./use-flash";

const SELECT_WIDTH = 48;
const SELECT_CELL = "h-[inherit] p-0 pl-4";

interface RunTableProps {
  runs: RunListItem[];
  /** Ids of those that no longer fit the filter. */
  left: ReadonlySet<string>;
  columns: RunColumns;
  density: Density;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  selected: string | null;
  /** A plain click; a click with a modifier follows the link. */
  onChoose: (runId: string) => void;
  /** Pressed by key. */
  onOpen: (runId: string) => void;
  /** The selected rows. */
  selection: RunSelection;
}

/** Only the rows in sight are drawn; two spacer rows keep the scrollbar true. */
export function RunTable({
  runs,
  left,
  columns,
  density,
  virtualizer,
  selected,
  onChoose,
  onOpen,
  selection,
}: RunTableProps) {
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  const { usual, definitions } = columns;
  const rowMenu = useRowMenu(runs, definitions);
  const fills = definitions.some(({ grows }) => grows);
  return (
    <>
      <table
        aria-rowcount={runs.length + 1}
        className="w-full table-fixed border-collapse"
        style={usual ? undefined : { minWidth: columns.width + SELECT_WIDTH }}
      >
        <thead className="sticky top-0 z-10 bg-bg">
          <tr className="h-[30px] text-left text-ink-3 text-small shadow-[inset_0_-1px_0_var(--line)]">
            <th scope="col" className={SELECT_CELL} style={{ width: SELECT_WIDTH }}>
              <RowCheckbox
                label="Select the runs that are loaded"
                checked={selection.all || (selection.ids.size > 0 && (selection.ids.size >= runs.length || "some"))}
                onToggle={selection.toggleLoaded}
              />
            </th>
            {definitions.map((column) => (
              <RunHeader key={column.id} column={column} columns={columns} className={cellClass(column, usual)} />
            ))}
            {!fills && <td />}
          </tr>
        </thead>
        <tbody onContextMenu={rowMenu.onContextMenu}>
          <Spacer height={before} />
          {items.map(({ index }) => {
            const run = runs[index];
            return run ? (
              <RunRow
                key={run.id}
                run={run}
                columns={definitions}
                usual={usual}
                height={ROW_HEIGHTS[density]}
                index={index}
                selected={run.id === selected}
                checked={selection.isSelected(run.id)}
                left={left.has(run.id)}
                onToggle={selection.toggle}
                onChoose={onChoose}
                onOpen={onOpen}
              />
            ) : null;
          })}
          <Spacer height={after} />
        </tbody>
      </table>
      {rowMenu.menu}
    </>
  );
}

const Spacer = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr aria-hidden>
      {/* One cell alone: a span over hidden columns would make them. */}
      <td style={{ height }} />
    </tr>
  ) : null;

const cellClass = ({ right, byWidth }: RunColumn, usual: boolean) =>
  classNames(right && "text-right", usual && byWidth);

interface RunRowProps {
  run: RunListItem;
  columns: readonly RunColumn[];
  usual: boolean;
  height: number;
  index: number;
  selected: boolean;
  checked: boolean;
  left: boolean;
  onToggle: (runId: string, extend: boolean) => void;
  onChoose: (runId: string) => void;
  onOpen: (runId: string) => void;
}

const RunRow = memo(function RunRow({
  run,
  columns,
  usual,
  height,
  index,
  selected,
  checked,
  left,
  onToggle,
  onChoose,
  onOpen,
}: RunRowProps) {
  const row = useFlash<HTMLTableRowElement>(flashOf(run));
  const onClick = onPlainClick((byKey) => (byKey ? onOpen : onChoose)(run.id));
  return (
    <tr
      ref={row}
      id={rowId(run.id)}
      aria-rowindex={index + 2}
      aria-current={selected || undefined}
      style={{ height }}
      className={classNames(
        "relative border-line border-b transition-colors",
        selected ? "bg-accent-soft" : checked ? "bg-sunken" : "hover:bg-sunken",
        left && LEFT,
      )}
      {...(left && { title: NO_LONGER })}
    >
      <td className={SELECT_CELL}>
        <RowCheckbox
          label={`Select ${titleOfRun(run) ?? run.id}`}
          checked={checked}
          onToggle={(extend) => onToggle(run.id, extend)}
        />
      </td>
      {columns.map((column) => (
        <td
          key={column.id}
          data-column={column.id}
          className={classNames(
            "truncate px-2 last:pr-6",
            cellClass(column, usual),
            column.id === "steps" && "overflow-visible",
          )}
        >
          {column.cell(run, { href: `/runs/${run.id}`, onClick })}
        </td>
      ))}
    </tr>
  );
});

/** Of a row that has left the filter. Not fainter: it has to be read still. */
export const LEFT = "[&_*]:text-ink-3 [&_svg]:opacity-60";
const NO_LONGER = "No longer matches the filters";

const RowMenu = later(() => import("./row-menu").then((menu) => menu.RowMenu));

/** The menu of the rows of a table: what hears of it, and what draws it. */
export function useRowMenu(runs: readonly RunListItem[], columns: readonly RunColumn[]) {
  const [pressed, setPressed] = useState<PressedRow | null>(null);
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    const row = (event.target as Element).closest("tr");
    const run = runs.find(({ id }) => row?.id === rowId(id));
    // With Shift, the browser's own menu.
    if (!run || event.shiftKey) return;
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    setPressed({ run, column: columns.find(({ id }) => id === columnAt(row, at.x)), at });
  };
  const close = () => {
    document
      .getElementById(rowId(pressed?.run.id ?? ""))
      ?.querySelector("a")
      ?.focus({ preventScroll: true });
    setPressed(null);
  };
  return { onContextMenu, menu: pressed && <RowMenu {...pressed} onClose={close} /> };
}

/** The row's link covers its cells, so the column is found by position. */
function columnAt(row: HTMLTableRowElement | null, x: number): string | undefined {
  const cell = [...(row?.cells ?? [])].find((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left <= x && x < right;
  });
  return cell?.dataset.column;
}
