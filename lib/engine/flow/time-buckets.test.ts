import { expect, it } from "vitest";
import { bucketsOf, MOST_BUCKETS } from "./time-buckets";

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

it.each([
  [HOUR, 60_000],
  [6 * HOUR, 15 * 60_000],
  [24 * HOUR, HOUR],
  [7 * 24 * HOUR, 3 * HOUR],
  [30 * 24 * HOUR, 24 * HOUR],
  [9_000 * 24 * HOUR, 365 * 24 * HOUR],
])("a window of %i ms has bars of %i ms", (length, widthMs) => {
  const until = at("2026-11-21T12:00:00Z");
  const buckets = bucketsOf(until - length, until);
  expect(buckets.widthMs).toBe(widthMs);
  expect(buckets.starts.length).toBeLessThanOrEqual(MOST_BUCKETS);
  expect(buckets.starts[0]).toBeLessThanOrEqual(until - length);
  expect((buckets.starts.at(-1) as number) + widthMs).toBeGreaterThanOrEqual(until);
});

it("a window that ends before it begins has no bars", () => {
  expect(bucketsOf(at("2026-11-21T12:00:00Z"), at("2026-11-20T12:00:00Z")).starts).toEqual([]);
});
