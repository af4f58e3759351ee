import type { Virtualizer } from "@tanstack/react-virtual";
import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { type DrawnRow, rowsAround, useHeldRows } from "./use-held-rows";

const KEYS = ["a", "b", "c", "d"];
const ROW_PX = 34;

/** Of four rows, scrolled by one and a half, below a head of 100 px. */
function aList(): { scroller: HTMLElement; bar: HTMLElement } {
  const scroller = document.createElement("div");
  scroller.getBoundingClientRect = () => ({ top: 100 }) as DOMRect;
  const rows = KEYS.map((_, index) => {
    const row = document.createElement("li");
    row.dataset.index = String(index);
    row.getBoundingClientRect = () => ({ top: 100 + ROW_PX * (index - 1.5) }) as DOMRect;
    return row;
  });
  scroller.append(...rows);
  const bar = document.createElement("span");
  rows[2]?.append(bar);
  return { scroller, bar };
}

it("the rows around the one that is pointed at are known by their places on the screen, the nearest first", () => {
  const { scroller, bar } = aList();
  const rows = rowsAround(scroller, bar, (index) => KEYS[index]);
  expect(rows[0]).toEqual({ key: "c", top: 17 });
  expect(rows.map(({ key }) => key).sort()).toEqual(KEYS);
  expect(rows.at(-1)).toEqual({ key: "a", top: -51 });
  expect(rowsAround(scroller, scroller, (index) => KEYS[index])).toEqual([]);
});

it("the nearest row that is left gets its place back, once", () => {
  const held: { current: readonly DrawnRow[] } = {
    current: [
      { key: "c", top: 17 },
      { key: "d", top: 51 },
    ],
  };
  const scrollToOffset = vi.fn();
  const measurementsCache = [{ start: 200 }, { start: 234 }];
  const virtualizer = { scrollToOffset, measurementsCache } as unknown as Virtualizer<HTMLDivElement, Element>;
  const { rerender } = renderHook(({ keys }) => useHeldRows(held, keys, virtualizer), {
    initialProps: { keys: ["x", "d"] },
  });
  expect(scrollToOffset.mock.calls).toEqual([[234 - 51]]);
  rerender({ keys: ["c", "d"] });
  expect(scrollToOffset).toHaveBeenCalledTimes(1);
});
