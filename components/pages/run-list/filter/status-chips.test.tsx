import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { RunCountsResponse } from "@/lib/api/contract/responses";
import { ATTENTIONS, RUN_STATUSES } from "@/lib/engine/runs/run";
import { StatusChips } from "./status-chips";

it("a number that not all runs were counted for says so, and does not read like none", () => {
  const counts = {
    byStatus: { ...Object.fromEntries(RUN_STATUSES.map((status) => [status, 0])), failed: 1_204, waiting: 10_000 },
    byAttention: Object.fromEntries(ATTENTIONS.map((attention) => [attention, 0])),
    partial: { byStatus: ["failed", "completed"], byAttention: [] },
  } as unknown as RunCountsResponse;
  const url = { status: [], attention: [], not: [] } as unknown as Parameters<typeof StatusChips>[0]["url"];
  render(<StatusChips url={url} setUrl={vi.fn()} counts={counts} />);
  const chip = (name: RegExp) => screen.getByRole("button", { name });
  expect(chip(/^Failed\s*1.2k\+$/)).toHaveProperty("title", "Failed: 1,204 or more. Not all runs were checked.");
  expect(chip(/^Completed\s*\?$/)).toHaveProperty(
    "title",
    "Completed: none among the runs checked. There may be others.",
  );
  expect(chip(/^Waiting\s*10k\+$/)).toHaveProperty("title", "Waiting: 10,000+");
  expect(chip(/^Running\s*0$/)).toHaveProperty("title", "Running: 0");
});
