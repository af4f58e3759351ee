import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Cell } from "@/lib/api/hooks/cell-hooks";
import { FleetPlanDialog } from "./fleet-plan-dialog";

const cells: Cell[] = [
  { name: "eu", url: "https://eu.example", isOwn: true },
  { name: "us", url: "https://us.example", isOwn: false },
  { name: "asia", url: "https://asia.example", isOwn: false },
];

const planOf = (cell: string, runs: number, secondPerson = 0) => ({
  id: `plan-${cell}`,
  hash: "0".repeat(64),
  act: "rerun",
  params: {},
  counts: {
    runs,
    included: runs,
    leftOut: [],
    again: [{ name: "charge-payment", count: runs }],
    goOn: 0,
    effects: { stay: 0, repeat: 0, unprotected: 0 },
    owed: 0,
    questions: 0,
    uncompensated: 0,
    secondPerson: { runs: secondPerson, workflows: secondPerson > 0 ? ["order"] : [] },
    split: null,
  },
});
const operationOf = (cell: string, total: number) => ({
  id: `operation-${cell}`,
  act: "rerun",
  status: "completed",
  pausedBecause: null,
  ratePerSecond: 20,
  counts: { total, done: total, already: 0, notEligible: 0, changed: 0, failed: 0 },
  createdAt: "2026-11-28T12:00:00.000Z",
  finishedAt: "2026-11-28T12:00:01.000Z",
});

afterEach(() => vi.unstubAllGlobals());

it("begins in each cell what one person may, and sends again, with its key, only what had no answer", async () => {
  const executed: [string, string | null][] = [];
  let lost = true;
  vi.stubGlobal("fetch", async (address: string, { headers, method }: RequestInit) => {
    const cell = /cells\/(\w+)\//.exec(address)?.[1] ?? "eu";
    if (address.endsWith("/v1/plans"))
      return Response.json(planOf(cell, cell === "us" ? 3 : 2, cell === "asia" ? 1 : 0), { status: 201 });
    if (method !== "POST") return Response.json(operationOf(cell, 2));
    executed.push([cell, new Headers(headers).get("idempotency-key")]);
    if (cell === "us" && lost) {
      lost = false;
      throw new TypeError("the answer is lost");
    }
    return Response.json(operationOf(cell, cell === "us" ? 3 : 2), { status: 202 });
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <FleetPlanDialog cells={cells} filter={{ status: ["failed"] }} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  const begin = await screen.findByRole("button", { name: "Rerun 5 runs in 2 cells" });
  expect(screen.getByText(/Needs a second approver/).closest("li")?.textContent).toContain("asia");
  fireEvent.click(begin);
  expect(await screen.findByText("Enter a reason.")).toBeDefined();
  expect(executed).toEqual([]);
  fireEvent.change(screen.getByLabelText(/^Reason/), { target: { value: "the gateway is back" } });
  fireEvent.click(begin);
  expect(await screen.findByText("Done: 2 of 2 runs.")).toBeDefined();
  const row = screen.getByText(/Handrail does not answer/).closest("li") as HTMLElement;
  fireEvent.click(within(row).getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Done: 5 of 5 runs.")).toBeDefined();
  const keysOf = (cell: string) => executed.filter(([one]) => one === cell).map(([, key]) => key);
  expect([keysOf("eu").length, keysOf("us").length, keysOf("asia").length]).toEqual([1, 2, 0]);
  expect(keysOf("us")[1]).toBe(keysOf("us")[0]);
  expect(keysOf("us")[0]).not.toBe(keysOf("eu")[0]);
});
