import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Differences } from "./version-changes";

const from = { version: 3, runs: 50 };

it("says what was added, removed and changed, in words", () => {
  render(
    <Differences
      changes={{
        from,
        to: { version: 4, runs: 1 },
        steps: [
          {
            step: "check-stock",
            change: "added",
            options: [
              { option: "kind", before: null, after: "step" },
              { option: "effect", before: null, after: "pure" },
              { option: "attempts", before: null, after: "1" },
            ],
          },
          {
            step: "charge",
            change: "changed",
            options: [
              { option: "effect", before: "idempotent", after: "once" },
              { option: "compensation", before: "manual", after: null },
            ],
          },
        ],
        declared: [
          { option: "event order.paid", before: null, after: "yes" },
          { option: "limit concurrency", before: "4", after: "6" },
        ],
      }}
    />,
  );
  const lines = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(lines).toEqual([
    "+addedcheck-stockstep · effect pure · 1 attempt",
    "~changedchargeeffect: idempotent →is now once · compensation: manual →is now none",
    "event order.paid: added",
    "limit concurrency: 4 →is now 6",
  ]);
  expect(screen.getByText(/Steps of the last 50 runs of v3 and 1 run of v4/)).toBeTruthy();
});

it("says which version no run shows, and when nothing differs", () => {
  const { rerender } = render(
    <Differences changes={{ from, to: { version: 4, runs: 0 }, steps: null, declared: [] }} />,
  );
  expect(screen.getByText(/No run of v4 is there to compare/)).toBeTruthy();
  rerender(<Differences changes={{ from, to: { version: 4, runs: 2 }, steps: [], declared: [] }} />);
  expect(screen.getByText("The same steps, with the same options.")).toBeTruthy();
});
