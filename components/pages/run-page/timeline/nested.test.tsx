import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { aRun, aStep, at } from "@/components/testing/a-run";
import type { Run } from "@/lib/api/contract/run";
import { runQuery } from "@/lib/api/hooks/queries";
import { lanesOf } from "../lanes/lanes";
import { scalesOf } from "../lanes/scales";
import { itemsOf, type TimelineItem } from "./items";
import { DEEPEST, lanesWithChildren, nestedRows, withChildren } from "./nested";
import type { NestedRun } from "./nested-run";
import { TimelinePanel } from "./timeline-panel";

afterEach(() => vi.unstubAllGlobals());

const END = Date.parse(at(10_000));
const EVERYTHING = { window: null, find: "", only: [], lanes: [], loops: [] };

const starts = (name: string, position: number, child: string, seconds = 1) =>
  aStep(name, position, { kind: "child", reference: child, finishedAt: at(position + seconds), attempts: [] });

const nest = (run: Run): NestedRun => ({
  run,
  rows: nestedRows(run, END),
  rest: run.stepsLeftOut > 0 ? { total: 9, left: 7, state: "closed", retry: () => undefined } : null,
  failed: false,
  retry: () => undefined,
});

const root = aRun({
  finishedAt: at(9_000),
  steps: [aStep("first", 0), starts("batch", 1, "b", 7_200), aStep("last", 8_000)],
});
const batch = aRun({
  id: "b",
  finishedAt: at(7_200),
  stepsLeftOut: 7,
  steps: [starts("order", 100, "o", 50), aStep("sum", 3_000)],
});
const order = aRun({
  id: "o",
  finishedAt: at(150),
  steps: [aStep("charge", 110, { generation: 1, supersededBy: 2 }), aStep("charge", 120, { generation: 2 })],
});

const namesOf = (items: TimelineItem[]) =>
  items.map((item) => {
    const indent = "  ".repeat(("place" in item && item.place?.depth) || 0);
    return (
      indent + (item.type === "step" ? item.row.step.name : item.type === "more" ? `${item.rest.left} more` : item.type)
    );
  });

describe("the steps of children", () => {
  const lanes = lanesOf(root, END);
  const show = (children: Record<string, NestedRun>, window: { from: number; to: number } | null = null) =>
    withChildren(itemsOf(lanes, EVERYTHING, null), new Map(Object.entries(children)), window);

  it("appear under the step that started them, on each open level, in their current state", () => {
    expect(namesOf(show({ b: nest(batch), o: nest(order) }))).toEqual([
      "lane",
      "first",
      "batch",
      "  child",
      "  7 more",
      "  order",
      "    child",
      "    charge",
      "  sum",
      "last",
    ]);
    expect(namesOf(show({ o: nest(order) }))).toEqual(["lane", "first", "batch", "last"]);
  });

  it("are left out with what is outside the window, and counted", () => {
    const window = { from: Date.parse(at(0)), to: Date.parse(at(200)) };
    expect(namesOf(show({ b: nest(batch) }, window))).toContain("  rest");
    expect(namesOf(show({ b: nest(batch) }, window))).not.toContain("  sum");
  });

  it("are not folded away as time in which the run was idle", () => {
    const nested = new Map([["b", nest(batch)]]);
    const at3000 = Date.parse(at(3_000.5));
    const isFolded = (of: typeof lanes) =>
      scalesOf(of, null, new Set())
        .get("1")
        ?.folds.some(({ from, to }) => from < at3000 && to > at3000);
    expect(isFolded(lanes)).toBe(true);
    expect(isFolded(lanesWithChildren(lanes, nested))).toBe(false);
  });

  it("end at a depth: deeper ones have a page", () => {
    const chain = new Map(
      Array.from({ length: DEEPEST + 3 }, (_, depth) => {
        const run = aRun({ id: `c${depth}`, finishedAt: at(9), steps: [starts("down", 1, `c${depth + 1}`)] });
        return [run.id, nest(run)] as const;
      }),
    );
    const top = lanesOf(aRun({ finishedAt: at(9), steps: [starts("down", 1, "c0")] }), END);
    const items = withChildren(itemsOf(top, EVERYTHING, null), chain, null);
    expect(items.filter(({ type }) => type === "child")).toHaveLength(DEEPEST);
  });
});

function open(children: Run[]) {
  const page = document.createElement("div");
  Object.defineProperty(page, "clientHeight", { value: 1_200 });
  Object.defineProperty(page, "clientWidth", { value: 900 });
  const urls: string[] = [];
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  for (const run of children) queryClient.setQueryData(runQuery(run.id).queryKey, run);
  render(
    <QueryClientProvider client={queryClient}>
      <NuqsTestingAdapter
        hasMemory
        searchParams="?view=timeline"
        onUrlUpdate={({ queryString }) => urls.push(queryString)}
      >
        <TimelinePanel run={root} selected={null} opensAt={null} onSelect={() => undefined} wide={false} page={page} />
      </NuqsTestingAdapter>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), urls };
}

const toggle = () => screen.getByRole("button", { name: "Steps of the child run of batch" });

it("a child is opened in its place, leads to its page, and is in the address", async () => {
  const { user, urls } = open([{ ...batch, stepsLeftOut: 0 }]);
  await user.click(toggle());
  const sum = await screen.findByRole("link", { name: /^sum: Completed/ });
  expect(sum.getAttribute("href")).toBe("/runs/b?step=sum");
  // Rows are drawn in pieces.
  expect((await screen.findByRole("link", { name: "Open run" })).getAttribute("href")).toBe("/runs/b");
  expect(screen.queryByRole("button", { name: "Show all" })).toBeNull();
  await waitFor(() => expect(urls.at(-1)).toContain("children=b"));
  await user.click(toggle());
  await waitFor(() => expect(screen.queryByRole("link", { name: /^sum/ })).toBeNull());
});

/** Pages of the steps between the two that came with the child; the last of them fails once. */
function answerPages(pages: string[][]): string[] {
  const asked: string[] = [];
  let failed = false;
  vi.stubGlobal("fetch", async (address: string) => {
    const { pathname, searchParams } = new URL(address, "http://localhost");
    if (!pathname.endsWith("/steps")) return Response.json(batch);
    const cursor = searchParams.get("cursor");
    const page = Number(cursor ?? 0);
    asked.push(cursor ?? "first");
    const last = page === pages.length - 1;
    if (last && !failed) {
      failed = true;
      return Response.json({ error: { code: "internal", message: "no" } }, { status: 500 });
    }
    const steps = pages[page]?.map((name, index) => aStep(name, 200 + 100 * page + index));
    return Response.json({ steps, nextCursor: last ? null : String(page + 1), updatedAt: at(0) });
  });
  return asked;
}

it("a long child says how many of its steps are here, and reads the others page by page", async () => {
  const asked = answerPages([["check-a", "check-b", "check-c"], ["check-d"], ["check-e", "check-f", "check-g"]]);
  const { user, urls } = open([batch]);
  await user.click(toggle());
  expect(await screen.findByText("2 of 9 steps: what is not done, the first and the last")).toBeDefined();
  expect(asked).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Show all" }));
  expect(await screen.findByText("7 steps could not be read.")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("All 9 steps")).toBeDefined();
  expect(asked).toEqual(["first", "1", "2", "first", "1", "2"]);
  const names = screen.getAllByRole("link", { name: /: Completed/ }).map((row) => row.getAttribute("aria-label"));
  expect(names.map((name) => name?.split(":")[0])).toEqual([
    "order",
    ...[..."abcdefg"].map((letter) => `check-${letter}`),
    "sum",
  ]);
  expect(urls.at(-1)).toContain("whole=b");
  await user.click(screen.getByRole("button", { name: "Show fewer" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: /^check-d/ })).toBeNull());
});
