"use client";

import { type RefObject, useEffect, useRef } from "react";

/** Of what is beside the chosen one, so that one sees that there is more. */
const EDGE_PX = 24;

/** For a row of tabs or links that scrolls sideways: the chosen one is in sight whenever `chosen` is another. */
export function useChosenInSight<Row extends HTMLElement>(chosen: string): RefObject<Row | null> {
  const row = useRef<Row>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row finds it by its mark
  useEffect(() => {
    // With the frame, which lays the page out in any case: at once, a page that opens would be laid out once more.
    const frame = requestAnimationFrame(() => {
      const own = row.current?.querySelector<HTMLElement>("[aria-current], [aria-selected=true]");
      if (!own || !row.current) return;
      const left = own.offsetLeft - row.current.offsetLeft;
      const { scrollLeft, clientWidth } = row.current;
      if (left < scrollLeft || left + own.offsetWidth > scrollLeft + clientWidth)
        row.current.scrollLeft = left - EDGE_PX;
    });
    return () => cancelAnimationFrame(frame);
  }, [chosen]);
  return row;
}
