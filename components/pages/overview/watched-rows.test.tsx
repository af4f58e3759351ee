import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Problem } from "@/lib/api/contract/problems";
import { WatchedRows } from "./watched-rows";

const problem = {
  id: "01a1fdd4-7a07-739d-9e18-5566350a3746",
  kind: "failed",
  status: "resolved",
  openRuns: 0,
  title: "Order fulfilment",
  step: "charge-payment",
  errorName: "ServiceUnavailable",
  example: { pattern: "payments is down" },
  watch: { change: { what: "resolve", by: "ada", at: "2026-11-21T10:00:00.000Z" } },
} as Problem;

it("says what happened to a watched problem, also to one that is over, and leads to it", () => {
  render(
    <ul>
      <WatchedRows problems={[problem]} />
    </ul>,
  );
  expect(screen.getByRole("listitem").textContent).toContain("New: ada resolved");
  expect(screen.getByText(/^You watch it · Order fulfilment/)).toBeDefined();
  expect(screen.getByRole("link", { name: "View problem" }).getAttribute("href")).toBe(`/problems/${problem.id}`);
});
