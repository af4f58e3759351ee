import { act, fireEvent, render, renderHook, screen, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import type { ReactNode } from "react";
import { describe, expect, it, vi } from "vitest";
import { aListedRun } from "@/components/testing/a-run";
import { pickedPaths, readColumns, writeColumns } from "../address/column-url";
import { useRunUrl } from "../address/use-run-url";
import { ColumnChooser } from "./column-chooser";
import { suggestedPaths } from "./path-suggestions";
import { columnOf, isRunColumn, RUN_COLUMNS } from "./run-columns";
import { moved, useRunColumns } from "./use-run-columns";

const read = (text: string) => readColumns(text.split(","), isRunColumn);

describe("columns in the address", () => {
  it("are read in order, with their widths, without unknown ones", () => {
    expect(read("status:200,key,input.customer.tier:120,nonsense,status")).toEqual([
      { id: "status", width: 200 },
      { id: "key" },
      { id: "input.customer.tier", width: 120 },
    ]);
    expect(read("nonsense")).toBeNull();
    expect(readColumns(null, isRunColumn)).toBeNull();
  });

  it("always have the one that opens the run, and no width beyond reason", () => {
    expect(read("status:2")).toBeNull();
    expect(read("status:20")).toEqual([{ id: "key" }, { id: "status", width: 60 }]);
  });

  it("come back as they were written, whatever their paths end with", () => {
    const columns = [{ id: "key" }, { id: "tags.from:12" }, { id: "output.total", width: 90 }];
    expect(read(writeColumns(columns).join(","))?.map(({ id }) => id)).toEqual(columns.map(({ id }) => id));
  });

  it("tell what the server is to pick: inputs and outputs, for tags come anyway", () => {
    expect(pickedPaths(["status", "tags.orderId", "input.a:90", "output.b"])).toEqual(["input.a", "output.b"]);
    expect(pickedPaths(null)).toEqual([]);
  });

  it("move by one, and stay at the ends", () => {
    const [a, b] = [{ id: "a" }, { id: "b" }];
    expect(moved([a, b], "a", 1)).toEqual([b, a]);
    expect(moved([a, b], "a", -1)).toEqual([a, b]);
  });
});

describe("what a column tells", () => {
  const run = aListedRun({
    tags: { orderId: "A-17" },
    error: { name: "Error", message: "declined", code: "E1" },
    picked: {
      "input.at": { at: { $type: "Date", value: "2026-11-21T00:00:00.000Z" } },
      "input.card.number": { card: { $type: "masked" } },
      "output.lines": { lines: [1, 2] },
      "output.none": {},
    },
  });

  it.each([
    ["tags.orderId", "A-17"],
    ["tags.toString", ""],
    ["input.at", "2026-11-21T00:00:00.000Z"],
    ["input.card.number", "masked"],
    ["output.lines", "[1,2]"],
    ["output.none", ""],
    ["error", "E1: declined"],
    ["status", "Completed"],
  ])("%s: %s", (id, text) => expect(columnOf(id).text(run)).toBe(text));

  it("every one has a text and a cell for any run", () => {
    for (const column of RUN_COLUMNS) {
      const { unmount } = render(column.cell(run, { href: "/runs/x", onClick: () => undefined }));
      expect(typeof column.text(run)).toBe("string");
      unmount();
    }
  });

  it("suggests paths that hold something, tags first", () => {
    const runs = [aListedRun({ tags: { orderId: "A" }, input: { customer: { tier: "gold" } }, output: { total: 1 } })];
    expect(suggestedPaths(runs)).toEqual(["tags.orderId", "input.customer.tier", "output.total"]);
  });
});

const addresses: string[] = [];
const address =
  (searchParams: string) =>
  ({ children }: { children: ReactNode }) => (
    <NuqsTestingAdapter
      searchParams={searchParams}
      onUrlUpdate={({ queryString }) => void addresses.push(queryString)}
      hasMemory
    >
      {children}
    </NuqsTestingAdapter>
  );

describe("choosing columns", () => {
  it("hides, adds, moves and widens them in the address", async () => {
    const { result } = renderHook(() => useRunColumns(useRunUrl()), { wrapper: address("") });
    const ids = () => result.current.definitions.map(({ id }) => id);
    expect(result.current.usual).toBe(true);
    await act(async () => result.current.toggle("steps"));
    await act(async () => result.current.toggle("input.customer.tier"));
    await act(async () => result.current.move("input.customer.tier", -1));
    await act(async () => result.current.resize("workflow", 3_000));
    expect(ids()).toEqual(["status", "workflow", "key", "now", "started", "input.customer.tier", "took"]);
    const written = "?cols=status,workflow:900,key,now,started,input.customer.tier,took";
    await vi.waitFor(() => expect(addresses.at(-1)).toBe(written));
    await act(async () => result.current.reset());
    expect(ids()).toHaveLength(7);
    await vi.waitFor(() => expect(addresses.at(-1)).toBe(""));
  });

  function Chooser() {
    const columns = useRunColumns(useRunUrl());
    const runs = [aListedRun({ input: { customer: { tier: "gold" } } })];
    return <ColumnChooser columns={columns} runs={runs} density="comfortable" onDensity={() => undefined} />;
  }

  it("is done with the keyboard alone: find, write a path, Enter", async () => {
    render(<Chooser />, { wrapper: address("") });
    fireEvent.click(screen.getByRole("button", { name: "Columns" }));
    const dialog = await screen.findByRole("dialog", { name: "Columns" });
    const field = await within(dialog).findByRole("searchbox", {}, { timeout: 10_000 });
    fireEvent.change(field, { target: { value: "vers" } });
    expect(
      within(dialog)
        .getAllByRole("checkbox")
        .map((box) => box.getAttribute("id")),
    ).toHaveLength(1);
    fireEvent.change(field, { target: { value: "output.total" } });
    await act(async () => fireEvent.keyDown(field, { key: "Enter" }));
    await vi.waitFor(() => expect(addresses.at(-1)).toContain("output.total"));
    expect(within(dialog).getByRole("checkbox", { name: "output.total" })).toBeTruthy();
    await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: /input\.customer\.tier/ })));
    await vi.waitFor(() => expect(addresses.at(-1)).toContain("input.customer.tier"));
  });
});
