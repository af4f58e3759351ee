import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import type { OfCell } from "@/lib/api/hooks/cell-hooks";
import { ATTENTIONS } from "@/lib/engine/runs/run";
import { AttentionCard } from "./attention-card";

const NOTHING = {
  alerts: [],
  stranded: [],
  overdue: [],
  switchedOffDestinations: [],
  needsPerson: [],
  problems: { open: 0, holding: [], changed: [], behindMs: 0 },
  byAttention: Object.fromEntries(ATTENTIONS.map((attention) => [attention, 0])),
  planApprovals: 0,
};

function of(cell: string, more: object = {}, error: Error | null = null): OfCell<OverviewResponse> {
  const answer = { ...NOTHING, ...more } as unknown as OverviewResponse;
  const isOwn = cell === "eu";
  return { cell: { name: cell, url: `https://${cell}.example`, isOwn }, answer, error, at: 1, retry: () => undefined };
}

const shown = (...overviews: OfCell<OverviewResponse>[]) => {
  const { container, unmount } = render(<AttentionCard overviews={overviews} />);
  const text = container.textContent ?? "";
  unmount();
  return text;
};

it("says that all is clear in every cell, or in which of them", () => {
  expect(shown(of("eu"), of("us"))).toContain("All clearIn every cell.");
  const partly = shown(of("eu"), of("us", {}, new Error("gone")));
  expect(partly).toContain("All clearIn eu.");
  expect(partly).toContain("Without us");
});

it("has what a cell's own inbox has: runs without a worker, notifications that are off, plans, and what is not listed", () => {
  const text = shown(
    of("eu"),
    of("us", {
      stranded: [{ workflow: "order", title: "Order", version: null, runs: 40 }],
      overdue: [{ workflow: "bill", title: "Bill", since: "2026-11-28T12:00:00.000Z", runs: 2 }],
      switchedOffDestinations: [{ id: "1", name: "pager", because: "410", failingSince: null }],
      byAttention: { ...NOTHING.byAttention, approval: 8 },
      problems: { ...NOTHING.problems, open: 3 },
      planApprovals: 1,
    }),
  );
  expect(text).not.toContain("All clear");
  for (const one of [
    "No live worker40 runs of Order",
    "Not begun2 runs of Bill",
    "Notifications offpager",
    "All 8: approval",
    "All 3 problems",
    "1 plan waiting for a second person",
  ])
    expect(text).toContain(one);
});

it("leads into the console of the cell", () => {
  render(<AttentionCard overviews={[of("us", { alerts: [{ id: "1", name: "backlog" }] })]} />);
  expect(screen.getByRole("link", { name: /backlog/ }).getAttribute("href")).toBe("https://us.example/alerts");
});
