import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { ratePeriod } from "@/components/domain/workflows/limit-words";
import type { Run } from "@/lib/api/contract/run";
import { InQueue } from "./in-queue";

const queue: NonNullable<Run["queue"]> = {
  key: "acme",
  heldBy: "concurrency",
  holding: 3,
  totalHolding: 4,
  concurrency: 3,
  rate: null,
  total: 50,
  totalRate: null,
  window: null,
  ahead: 12,
  opensAt: null,
};
const textOf = (given: Partial<typeof queue>) => {
  const { container, unmount } = render(<InQueue queue={{ ...queue, ...given }} />);
  const text = container.textContent;
  unmount();
  return text;
};

it("a run in a queue says which limit holds it back, and its place", () => {
  expect(textOf({})).toContain("The queue acme lets 3 runs run at once; 3 do now. 12 runs go before this run.");
  expect(textOf({ key: "", concurrency: 1, holding: 1, ahead: 0 })).toContain(
    "The workflow lets 1 run run at once; 1 does now. Next.",
  );
  expect(textOf({ heldBy: "total", totalHolding: 50, ahead: 0 })).toContain(
    "The workflow lets 50 runs run at once; 50 do now. Next in the queue.",
  );
  expect(textOf({ ahead: 1_000 })).toContain("1,000 runs or more go before this run.");
  const rate = { limit: 100, perMs: 60_000 };
  expect(textOf({ heldBy: "rate", rate, ahead: 1 })).toContain(
    "The queue acme lets 100 runs start in a minute, and as many have. 1 run goes before this run.",
  );
  expect(textOf({ heldBy: "totalRate", totalRate: rate })).toContain("The workflow lets 100 runs start in a minute");
  const window = { from: "22:00", to: "06:00", timeZone: "Europe/Berlin" };
  expect(textOf({ heldBy: "window", window })).toContain("runs from 22:00 to 06:00, Europe/Berlin; closed now");
  expect(textOf({ heldBy: null })).toContain("No limit applies");
});

it.each([
  [3_600_000, "an hour"],
  [86_400_000, "a day"],
  [10_000, "10 seconds"],
  [250, "250 ms"],
])("a rate's period of %i ms reads %s", (ms, words) => {
  expect(ratePeriod(ms)).toBe(words);
});
