import { expect, it } from "vitest";
import { place, scaleOf, shortNumber } from "./scale";

it.each([
  [[0.5, 2.9], 3, [0, 1, 2, 3]],
  [[300], 300, [0, 100, 200, 300]],
  [[3_815], 4_000, [0, 2_000, 4_000]],
  [[0.7], 0.75, [0, 0.25, 0.5, 0.75]],
  [[], 1, [0, 1]],
  [[0, 0], 1, [0, 1]],
])("the axis of %o ends at %d", (values, max, ticks) => {
  expect(scaleOf(values)).toEqual({ max, ticks });
});

it("no value is above the axis", () => {
  for (let value = 0.013; value < 1e9; value *= 1.37)
    expect(scaleOf([value]).max).toBeGreaterThanOrEqual(value * 0.999);
});

it("a place is a part of the pixels", () => {
  expect([place(0, 10, 200), place(5, 10, 200), place(10, 10, 200), place(5, 0, 200)]).toEqual([0, 100, 200, 0]);
});

it("numbers are short", () => {
  expect([0.25, 340, 9_999, 12_345, 2_500_000].map(shortNumber)).toEqual(["0.25", "340", "10000", "12.3k", "2.5M"]);
});
