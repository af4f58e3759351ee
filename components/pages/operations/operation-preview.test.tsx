import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { at } from "@/components/testing/a-run";
import { SIDE_BY_SIDE } from "@/components/ui/hooks/use-media-query";
import type { OperationAndRuns, OperationItemListResponse } from "@/lib/api/contract/operations";
import { operationQuery } from "@/lib/api/hooks/queries";
import { keyOf } from "@/lib/api/hooks/query";
import { ACTIONS } from "@/lib/engine/access/permission";
import { OperationPreview } from "./operation-preview";

const OPERATION: OperationAndRuns = {
  ...{ id: "o", planId: "p", runId: "r", act: "rerun", params: {}, status: "paused", startedBy: "ada" },
  ...{ pausedBecause: "3 of the first 5 failed.", workflows: ["order"], reason: "the gateway is back" },
  ...{ ratePerSecond: 20, canary: 5, canaryPassedAt: null, createdAt: at(0), finishedAt: null },
  counts: { total: 412, done: 5, already: 0, notEligible: 0, changed: 0, failed: 0 },
  runs: { of: 5, completed: 2, needPerson: 3, underWay: 0, others: 0 },
};

type Item = OperationItemListResponse["items"][number];
const item = (position: number, given: Partial<Item> = {}): Item => ({
  ...{ position, runId: `run-${position}`, named: null, outcome: "done", because: null, at: at(1) },
  run: { status: "failed", attention: "failed" },
  ...given,
});

afterEach(() => vi.unstubAllGlobals());

function show(operation: OperationAndRuns, list: "all" | "others", items: Item[]) {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query === SIDE_BY_SIDE,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions: [...ACTIONS], workflows: null });
  queryClient.setQueryData(operationQuery("o").queryKey, operation);
  const page = { items, nextCursor: null, updatedAt: at(2) };
  queryClient.setQueryData(keyOf("/v1/operations/{operationId}/items", { operationId: "o", list }), {
    pages: [page],
    pageParams: [undefined],
  });
  render(
    <QueryClientProvider client={queryClient}>
      <OperationPreview operationId="o" onClose={() => undefined} />
    </QueryClientProvider>,
  );
}

it("says why an operation is paused, shows its first runs with their current status, and has its actions", async () => {
  show(
    OPERATION,
    "all",
    [0, 1, 2, 3, 4, 5].map((position) => item(position)),
  );
  const pane = within(await screen.findByRole("complementary", { name: "Inspector" }));
  expect(pane.getByText("Rerun 412 runs")).toBeDefined();
  expect(pane.getByText("3 of the first 5 failed.")).toBeDefined();
  expect(pane.getByRole("button", { name: "Resume…" })).toBeDefined();
  expect(within(pane.getByRole("list", { name: "The first of its runs" })).getAllByRole("listitem")).toHaveLength(5);
  expect(pane.getByRole("link", { name: "Open" }).getAttribute("href")).toBe("/operations/o");
});

it("shows what was not done, and why, where there is any; of one that has ended there are no acts", async () => {
  const counts = { ...OPERATION.counts, done: 411, failed: 1 };
  const ended = { ...OPERATION, status: "completed" as const, pausedBecause: null, finishedAt: at(60), counts };
  show(ended, "others", [item(7, { outcome: "failed", because: "The run was changed by somebody." })]);
  const pane = within(await screen.findByRole("complementary", { name: "Inspector" }));
  expect(pane.getByRole("heading", { name: "Not done (1)" })).toBeDefined();
  expect(pane.getByText("The run was changed by somebody.")).toBeDefined();
  expect(pane.queryByRole("button", { name: /…$/ })).toBeNull();
});

it.each([
  [
    "mark_compensated",
    { outcome: "waived", step: "charge" },
    "Waive a compensation of 412 runs",
    "outcome: waived · step: charge",
  ],
  ["snooze", { until: "now" }, "End the snooze of 412 runs", "until: now"],
  ["send_event", { name: "order.paid", payload: { cents: 5 } }, "Send an event to 412 runs", "name: order.paid"],
  ["rerun", { fromStep: "charge", freshKeys: false }, "Rerun 412 runs", "from charge"],
] as const)("is titled and described by what was chosen: %s %j", async (act, params, title, chosen) => {
  show({ ...OPERATION, act, params }, "all", []);
  const pane = within(await screen.findByRole("complementary", { name: "Inspector" }));
  expect(pane.getByText(title)).toBeDefined();
  expect(pane.getByText(chosen)).toBeDefined();
});
