import { act, render, screen, within } from "@testing-library/react";
import { afterAll, expect, it, vi } from "vitest";
import type { Flow, FlowTotals } from "@/lib/api/contract/flow";
import { FlowCharts } from "./flow-charts";

// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("next/navigation");
  vi.doUnmock("@/components/parts/charts/use-plot");
  vi.resetModules();
});
vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }) }));
// Nothing can be drawn here: what is asked for are words and tables.
vi.mock("@/components/parts/charts/use-plot", () => ({ usePlot: () => null }));

const MINUTE_MS = 60_000;
const FROM_MS = Date.parse("2026-11-23T12:00:00.000Z");
const at = (minutes: number) => new Date(FROM_MS + minutes * MINUTE_MS).toISOString();

const NONE: FlowTotals = {
  ...{ started: 0, completed: 0, failed: 0, cancelled: 0, compensated: 0, retries: 0 },
  ...{ p50Ms: null, p95Ms: null, p99Ms: null, queuedP50Ms: null, queuedP95Ms: null },
};
const FLOW: Flow = {
  ...{ window: "15m", from: at(0), until: at(15), pointMs: MINUTE_MS, updatedAt: at(14.5) },
  ...{ countedSince: at(-600), countedUntil: at(14.45), heldBack: false },
  ...{ totals: NONE, before: NONE, beforeIsWhole: true, deploys: [], workflows: [] },
  points: Array.from({ length: 15 }, (_, minute) => ({ at: at(minute), ...NONE })),
};

async function shown(change: Partial<Flow>) {
  const { container, unmount } = render(<FlowCharts flow={{ ...FLOW, ...change }} workflow={[]} />);
  await act(async () => {});
  const table = screen.getByRole("table", { name: /Runs started and ended/ });
  const card = screen.getByRole("heading", { name: "Ended" }).closest("section");
  const drawn = {
    points: within(table).getAllByRole("row").length - 1,
    text: container.textContent ?? "",
    figure: card?.querySelector("p > span")?.textContent,
  };
  unmount();
  return drawn;
}

it("a window without runs that is counted is zero, and is compared with the one before", async () => {
  const { points, text, figure } = await shown({});
  expect({ points, figure }).toEqual({ points: 15, figure: "0" });
  expect(text).toContain("No run started or ended in this window.");
  expect(text).toContain("as in the 15 minutes before");
});

it("what is not counted yet is not drawn as zero, and is compared with nothing", async () => {
  const { points, text, figure } = await shown({ countedUntil: at(5) });
  expect({ points, figure }).toEqual({ points: 6, figure: "0" });
  expect(text).toContain("Not counted yet.");
  expect(text).not.toContain("in this window.");
  expect(text).not.toContain("before");
});

it.each([{ countedUntil: at(-60) }, { countedUntil: null }, { countedSince: null }])(
  "a window of which nothing is counted has no figure: %j",
  async (change) => expect(await shown(change)).toMatchObject({ points: 0, figure: "–" }),
);
