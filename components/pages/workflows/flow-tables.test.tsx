import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { FlowTotals, WorkflowFlow } from "@/lib/api/contract/flow";
import { StepTable } from "./step-table";
import { VersionTable } from "./version-table";
import { FailingSince } from "./workflow-page";

const totals = (completed: number, failed: number, p95Ms: number): FlowTotals => ({
  ...{ started: completed + failed, completed, failed, cancelled: 0, compensated: 0, retries: 0 },
  ...{ p50Ms: p95Ms / 2, p95Ms, p99Ms: p95Ms, queuedP50Ms: 1, queuedP95Ms: 2 },
});

const step = { executions: 30, failures: 8, retries: 3, p50Ms: 100, p95Ms: 900, p99Ms: 1_000 };
const FLOW: WorkflowFlow = {
  ...{
    workflow: "orders",
    window: "1h",
    from: "2026-11-21T13:00:00.000Z",
    until: "2026-11-21T14:00:00.000Z",
    pointMs: 60_000,
  },
  ...{
    countedSince: null,
    countedUntil: null,
    heldBack: false,
    points: [],
    deploys: [],
    updatedAt: "2026-11-21T14:00:00.000Z",
  },
  ...{ totals: totals(22, 8, 900), before: totals(0, 0, 0), beforeIsWhole: false, failingSince: 7 },
  versions: [
    { version: 7, totals: totals(2, 8, 900) },
    { version: 6, totals: totals(20, 0, 300) },
  ],
  steps: [
    {
      step: "charge",
      ...step,
      versions: [
        { version: 7, ...step },
        { version: 6, ...step, p95Ms: 300 },
      ],
    },
    { step: "send-<n>", ...step, failures: 1, versions: [] },
    { step: null, ...step, failures: 0, versions: [] },
  ],
};

const cells = (region: string) =>
  within(screen.getByRole("region", { name: region }))
    .getAllByRole("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent));

describe("a workflow's page", () => {
  it("says which version began to fail, and leads to what failed of it", () => {
    render(<FailingSince flow={FLOW} />);
    expect(screen.getByText("Failing since version 7")).toBeTruthy();
    expect(screen.getByText(/80% of its runs failed, of version 6 0%/)).toBeTruthy();
    const link = screen.getByRole("link", { name: "Failed runs of version 7" });
    expect(link.getAttribute("href")).toBe("/runs?status=failed&workflow=orders&version=7");
  });

  it("has its versions side by side", () => {
    render(<VersionTable flow={FLOW} />);
    expect(cells("Versions").slice(1)).toEqual([
      ["v7failing since", "10", "10", "8 · 80%", "450 ms", "900 ms", "900 ms"],
      ["v6", "20", "20", "none", "150 ms", "300 ms", "300 ms"],
    ]);
  });

  it("has its steps, what a deploy has changed of them, and the way to what failed there", () => {
    render(<StepTable flow={FLOW} />);
    expect(cells("Steps").slice(1)).toEqual([
      ["charge", "", "100 ms", "900 ms", "v7 900 ms · v6 300 ms", "30", "8 · 27%", "3"],
      ["send-<n>", "", "100 ms", "900 ms", "–", "30", "1 · 3.3%", "3"],
      ["all other names", "", "100 ms", "900 ms", "–", "30", "none", "3"],
    ]);
    // A name that represents many steps finds none by itself.
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/runs?status=failed&workflow=orders&step=charge",
    ]);
  });
});
