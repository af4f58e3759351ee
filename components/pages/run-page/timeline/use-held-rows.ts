"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect } from "react";

/** A row that is drawn, by its key, and how far below the top of what scrolls it is. */
export interface DrawnRow {
  key: string;
  top: number;
}

/**
 * The drawn rows, those first that are nearest to the one of `target`.
 * @param keyAt of the row with an index
 */
export function rowsAround(
  scroller: HTMLElement,
  target: EventTarget | null,
  keyAt: (index: number) => string | undefined,
): DrawnRow[] {
  const from = target instanceof Element ? target.closest("[data-index]") : null;
  if (!from) return [];
  const at = from.getBoundingClientRect().top;
  const zero = scroller.getBoundingClientRect().top;
  return [...scroller.querySelectorAll<HTMLElement>("[data-index]")]
    .map((row) => ({ key: keyAt(Number(row.dataset.index)), top: row.getBoundingClientRect().top }))
    .filter((row): row is DrawnRow => row.key !== undefined)
    .sort((a, b) => Math.abs(a.top - at) - Math.abs(b.top - at))
    .map(({ key, top }) => ({ key, top: top - zero }));
}

/** The nearest of the held rows that is left has its place on the screen again, whatever went or came above it. Once. */
export function useHeldRows(
  held: RefObject<readonly DrawnRow[]>,
  keys: readonly string[],
  virtualizer: Virtualizer<HTMLDivElement, Element>,
): void {
  useLayoutEffect(() => {
    const rows = held.current;
    if (rows.length === 0) return;
    held.current = [];
    const indexes = new Map(keys.map((key, index) => [key, index]));
    for (const { key, top } of rows) {
      const row = virtualizer.measurementsCache[indexes.get(key) ?? -1];
      if (row) return virtualizer.scrollToOffset(row.start - top);
    }
  }, [held, keys, virtualizer]);
}
