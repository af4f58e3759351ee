import { expect, it } from "vitest";
import { NO_LIMITS } from "@/lib/engine/queues/queue";
import { boundLimits, limitWords, windowWords } from "./limit-words";

it("limits read in a few words each, an operator's over the code's", () => {
  const declared = { ...NO_LIMITS, concurrency: 2, total: 50, totalRate: { limit: 100, perMs: 60_000 } };
  expect(limitWords(boundLimits(declared, null), true)).toEqual([
    "2 at once per key",
    "50 at once in all",
    "100 in a minute in all",
  ]);
  expect(limitWords(boundLimits(declared, { ...NO_LIMITS, total: 7 }), true)).toContain("7 at once in all");
  expect(limitWords({ ...NO_LIMITS, concurrency: 3 }, false)).toEqual(["3 at once"]);
});

it("a window that is always open says so", () => {
  expect(windowWords({ from: "00:00", to: "24:00", timeZone: "UTC" })).toBe("at any time");
  expect(windowWords({ from: "22:00", to: "06:00", timeZone: "UTC" })).toBe("from 22:00 to 06:00, UTC");
});
