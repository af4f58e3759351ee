import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { RUN_STATUSES } from "@/lib/engine/runs/run";
import { NowCard } from "./now-card";
import { StatusTiles } from "./status-tiles";

const NONE = Object.fromEntries(RUN_STATUSES.map((status) => [status, 0])) as OverviewResponse["byStatus"];
const tile = (name: RegExp) => screen.getByRole("link", { name });

it("a tile says where not all runs were counted, and shows an exact number otherwise", () => {
  const byStatus = { ...NONE, completed: 5_000, failed: 5_000, waiting: 10_000 };
  render(<StatusTiles overview={{ byStatus, partial: { byStatus: ["completed", "paused"], byAttention: [] } }} />);
  expect(tile(/^5,000\+\s*Completed$/)).toHaveProperty("title", "Completed: 5,000 or more. Not all runs were checked.");
  expect(tile(/^5,000\s*Failed$/)).toHaveProperty("title", "");
  expect(tile(/^10,000\+\s*Waiting$/)).toHaveProperty("title", "");
  expect(tile(/^\?\s*Paused$/)).toBeTruthy();
  expect(screen.queryByText("Cancelled")).toBeNull();
});

it("a cell with an earlier version does not say what it counted in part", () => {
  render(<StatusTiles overview={{ byStatus: { ...NONE, completed: 5_000 } }} />);
  expect(tile(/^5,000\s*Completed$/)).toBeTruthy();
});

it("what counting stopped at is no exact number beside the tiles either", () => {
  const overview = {
    byStatus: { ...NONE, pending: 10_000 },
    workers: { live: 1, lost: 0, running: 0, concurrency: 400 },
    oldestPendingMs: null,
    nextDueAt: null,
    lostClaimsLastHour: 1,
    openCompensations: 10_000,
    planApprovals: 10_000,
  } as unknown as OverviewResponse;
  const { container } = render(<NowCard overview={overview} />);
  for (const text of ["Pending10,000+", "10,000+ compensations", "10,000+ plans for", "1 run after a lost worker"])
    expect(container.textContent).toContain(text);
});
