import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { at } from "@/components/testing/a-run";
import type { RetentionResponse } from "@/lib/api/contract/responses";
import { KeptRuns } from "./retention-page";

const DAY_MS = 86_400_000;
type Kept = RetentionResponse["workflows"][number];

const kept = (given: Partial<Kept> = {}): Kept => ({
  workflow: "user-sync",
  title: "User sync",
  completedMs: 30 * DAY_MS,
  failedMs: null,
  cancelledMs: DAY_MS,
  compensatedMs: null,
  due: 0,
  nextAt: null,
  ...given,
});

function show(...workflows: Kept[]) {
  render(<KeptRuns workflows={workflows} />);
}

describe("retention", () => {
  it("says so while everything is kept for ever", () => {
    show();
    expect(screen.getByText("All runs are kept forever")).toBeDefined();
  });

  it("says by outcome for how long runs are kept, and leaves out what is kept for ever", () => {
    show(kept());
    expect(screen.getByRole("heading", { name: "Deleted after" })).toBeDefined();
    expect(screen.getByRole("listitem").textContent).toBe(
      "User synccompleted for 30 days, cancelled for 1 daynothing due yet",
    );
  });

  it("says in one word what is alike for every outcome", () => {
    const ms = 30 * DAY_MS;
    show(kept({ completedMs: ms, failedMs: ms, cancelledMs: ms, compensatedMs: ms }));
    expect(screen.getByText("all outcomes, for 30 days")).toBeDefined();
  });

  it.each([
    [1, "1 run due now"],
    [1_000, "1,000 runs due now"],
  ])("says that %i runs are past their time", (due, words) => {
    show(kept({ due, nextAt: at(0) }));
    expect(screen.getByText(words)).toBeDefined();
  });

  it("says when the next one goes, and tells hours from days", () => {
    show(kept({ nextAt: at(3_600), failedMs: 36 * 3_600_000 }));
    expect(screen.getByRole("listitem").textContent).toContain("failed for 1 d 12 h");
    expect(screen.getByText(/^next:/)).toBeDefined();
    expect(screen.getByRole("time")).toBeDefined();
  });
});
