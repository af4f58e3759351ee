"use client";

import { type MouseEvent, useState } from "react";
import { later } from "@/components/ui/later";
import type { RunListItem } from "@/lib/api/contract/run";
import type { RunColumn } from "../columns/run-column";
import type { PressedRow } from "./pressed-row";
import { rowId } from "./row-id";

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
