import { expect, it } from "vitest";
import { pauseAfter } from "./claim-pause";

it.each([
  ["nothing is scheduled", { nextDueInMs: null }, 60_000],
  ["a timer comes soon", { nextDueInMs: 700 }, 700],
  ["a timer comes late", { nextDueInMs: 600_000 }, 60_000],
  ["a timer was due, and another transaction holds it", { nextDueInMs: -5 }, 10],
  ["an intake is closed", { nextDueInMs: null, closed: ["orders"] }, 1_500],
  ["an intake is closed, and a timer comes sooner", { nextDueInMs: 700, closed: ["orders"] }, 700],
])("the next claim, while %s", (_, claim, ms) => {
  expect(pauseAfter(claim)).toBe(ms);
});

it("comes sooner while a claim whose answer was lost may have left runs", () => {
  expect(pauseAfter({ nextDueInMs: null }, true)).toBe(10_000);
});
