import { act, renderHook } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { between, useRunSelection } from "./use-run-selection";

const runs = ["a", "b", "c", "d", "e"].map((id) => ({ id }));

function aSelection() {
  const { result, rerender } = renderHook(({ filter }) => useRunSelection(filter, runs), {
    initialProps: { filter: "failed" },
  });
  return {
    now: () => ({ ids: [...result.current.ids], all: result.current.all }),
    on: (does: (selection: typeof result.current) => void) => act(() => does(result.current)),
    result,
    rerender,
  };
}

describe("a selection of runs", () => {
  it("takes one row, and with shift every row between", () => {
    const { now, on } = aSelection();
    on((selection) => selection.toggle("d"));
    on((selection) => selection.toggle("b", true));
    expect(now().ids.sort()).toEqual(["b", "c", "d"]);
    on((selection) => selection.toggle("c"));
    expect(now().ids.sort()).toEqual(["b", "d"]);
  });

  it("takes what is loaded, or lets everything go", () => {
    const { now, on } = aSelection();
    on((selection) => selection.toggleLoaded());
    expect(now().ids).toHaveLength(5);
    on((selection) => selection.toggleLoaded());
    expect(now().ids).toEqual([]);
  });

  it("takes all that match, and goes back to rows when one is taken out", () => {
    const { now, on, result } = aSelection();
    on((selection) => selection.chooseAll());
    expect(result.current.isSelected("far away")).toBe(true);
    on((selection) => selection.toggle("a"));
    expect(now()).toEqual({ ids: ["b", "c", "d", "e"], all: false });
  });

  it("is of its filter: under another one nothing is chosen", () => {
    const { now, on, rerender } = aSelection();
    on((selection) => selection.chooseAll());
    rerender({ filter: "completed" });
    expect(now()).toEqual({ ids: [], all: false });
  });
});

it("a range has both ends, whichever comes first, and is one row when the other has gone", () => {
  expect(between(["a", "b", "c"], "c", "a")).toEqual(["a", "b", "c"]);
  expect(between(["a", "b", "c"], "gone", "b")).toEqual(["b"]);
  expect(between(["a", "b", "c"], null, "b")).toEqual(["b"]);
});
