import { type RefObject, useEffect, useRef } from "react";

/** What Tab stops at in a row; the arrow keys reach its bars and marks. */
const STOPS = "button, a:not([data-mark])";

/** What chooses a row, or leads to what it is of. */
export const mainOf = (row: Element | null | undefined): HTMLElement | null =>
  row?.querySelector<HTMLElement>("[data-row]") ?? row?.querySelector<HTMLElement>(STOPS) ?? null;

/**
 * Of all rows, Tab stops at one: the row that had the focus last, or the first in sight. It is set on the elements
 * themselves, since rows come and go as the list scrolls.
 */
export function useOneTabStop(area: RefObject<HTMLElement | null>): void {
  const last = useRef<string | undefined>(undefined);
  // After every rendering: other rows may be there.
  useEffect(() => keepOne(area.current, last.current));
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const follow = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
      if (!row) return;
      last.current = row.dataset.index;
      keepOne(element, last.current);
    };
    element.addEventListener("focusin", follow);
    return () => element.removeEventListener("focusin", follow);
  }, [area]);
}

function keepOne(area: HTMLElement | null, index: string | undefined): void {
  const rows = [...(area?.querySelectorAll<HTMLElement>("[data-index]") ?? [])];
  const stop = rows.find((row) => row.dataset.index === index) ?? rows.find(mainOf);
  for (const row of rows)
    for (const part of row.querySelectorAll<HTMLElement>(STOPS)) part.tabIndex = row === stop ? 0 : -1;
}
