"use client";

import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ChevronDown,
  EyeOff,
  FoldHorizontal,
  UnfoldHorizontal,
} from "lucide-react";
import { memo, useRef } from "react";
import { Menu, MenuItem, MenuLine } from "@/components/ui/overlay/menu";
import { classNames } from "@/lib/class-names";
import { LINK_COLUMN } from "../address/column-url";
import type { RunColumn } from "../columns/run-column";
import type { RunColumns } from "../columns/use-run-columns";

/** Of one press of "Wider" or "Narrower", in pixels. */
const STEP = 24;

interface RunHeaderProps {
  column: RunColumn;
  columns: RunColumns;
  className: string;
}

/** A column's head: its name opens what can be done with the column; its right border is dragged. */
export const RunHeader = memo(function RunHeader({ column, columns, className }: RunHeaderProps) {
  const { id, name, grows, right } = column;
  const resizing = columns.dragged === id;
  const chosen = columns.chosenWidth(column);
  const size = chosen ?? column.size;
  const sorted = sortedOf(column, columns);
  return (
    <th
      scope="col"
      aria-sort={sorted}
      className={classNames("group/head relative p-0 font-normal last:pr-4", className)}
      style={grows && chosen === undefined ? undefined : { width: size }}
    >
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            data-ring="inside"
            title={name}
            className={classNames(
              "flex h-[30px] w-full min-w-0 items-center gap-1 px-2 hover:text-ink data-[state=open]:text-ink",
              right && "flex-row-reverse",
            )}
          >
            <span className="truncate">{name}</span>
            {sorted === "descending" && <ArrowDown aria-hidden className="size-3 shrink-0" />}
            {sorted === "ascending" && <ArrowUp aria-hidden className="size-3 shrink-0" />}
            <ChevronDown
              aria-hidden
              className="size-3 shrink-0 opacity-0 group-focus-within/head:opacity-100 group-hover/head:opacity-100"
            />
          </button>
        }
      >
        <SortActs column={column} columns={columns} />
        <HeaderActs id={id} size={size} columns={columns} />
      </Menu>
      <Border resizing={resizing} onDrag={(width) => columns.drag(id, width)} onEnd={() => columns.resize(id, size)} />
    </th>
  );
});

/** What is dragged. By keyboard, the menu makes a column wider and narrower. */
function Border({
  resizing,
  onDrag,
  onEnd,
}: {
  resizing: boolean;
  onDrag: (width: number) => void;
  onEnd: () => void;
}) {
  const begun = useRef(0);
  return (
    <span
      aria-hidden
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        const border = event.currentTarget;
        border.setPointerCapture(event.pointerId);
        const width = border.parentElement?.offsetWidth ?? 0;
        begun.current = event.clientX - width;
        onDrag(width);
      }}
      onPointerMove={(event) => resizing && onDrag(event.clientX - begun.current)}
      onLostPointerCapture={() => resizing && onEnd()}
      className={classNames(
        "absolute top-0 right-0 z-10 h-full w-2 cursor-col-resize touch-none border-r-2 hover:border-accent",
        resizing ? "border-accent" : "border-transparent",
      )}
    />
  );
}

/**
 * The sort order of the list if it follows this column; undefined if it follows another, or one that represents it
 * better.
 */
function sortedOf({ id, sorts }: RunColumn, { sort, shown }: RunColumns): "ascending" | "descending" | undefined {
  if (id === "started" && shown.some((one) => one.id === "created")) return undefined;
  if (sort === sorts?.descending) return "descending";
  return sort === sorts?.ascending ? "ascending" : undefined;
}

function SortActs({ column: { sorts }, columns: { canSort, sortBy } }: { column: RunColumn; columns: RunColumns }) {
  if (!sorts) return null;
  const { descending, ascending } = sorts;
  const closed = !canSort(descending);
  return (
    <>
      <MenuItem
        icon={<ArrowDown aria-hidden />}
        closed={closed}
        {...(closed && { note: "Filter by status first: failed, cancelled or compensated." })}
        onSelect={() => sortBy(descending)}
      >
        Latest first
      </MenuItem>
      {ascending && (
        <MenuItem icon={<ArrowUp aria-hidden />} onSelect={() => sortBy(ascending)}>
          Oldest first
        </MenuItem>
      )}
      <MenuLine />
    </>
  );
}

function HeaderActs({ id, size, columns }: { id: string; size: number; columns: RunColumns }) {
  const { shown, move, resize, toggle } = columns;
  return (
    <>
      <MenuItem stays icon={<ArrowLeft aria-hidden />} closed={shown[0]?.id === id} onSelect={() => move(id, -1)}>
        Move left
      </MenuItem>
      <MenuItem stays icon={<ArrowRight aria-hidden />} closed={shown.at(-1)?.id === id} onSelect={() => move(id, 1)}>
        Move right
      </MenuItem>
      <MenuItem stays icon={<UnfoldHorizontal aria-hidden />} onSelect={() => resize(id, size + STEP)}>
        Wider
      </MenuItem>
      <MenuItem stays icon={<FoldHorizontal aria-hidden />} onSelect={() => resize(id, size - STEP)}>
        Narrower
      </MenuItem>
      <MenuItem
        icon={<EyeOff aria-hidden />}
        closed={id === LINK_COLUMN}
        {...(id === LINK_COLUMN && { note: "This column opens the run and is always shown." })}
        onSelect={() => toggle(id)}
      >
        Hide
      </MenuItem>
    </>
  );
}
