import { expect, it } from "vitest";
import { notThisTime, oneIn } from "./sample";

const CASES = ["a", "b", "c", "d", "e", "f", "g"];

it("tries every case once in as many turns as it leaves out", () => {
  const tried = ["764", "765", "766"].map((turn) => oneIn(3, CASES, turn));
  expect(tried.map(({ length }) => length).sort()).toEqual([2, 2, 3]);
  expect(tried.flat().sort()).toEqual(CASES);
});

it("tries every case without a sample", () => {
  expect(oneIn(3, CASES, "")).toEqual(CASES);
});

it("leaves to a later turn what it does not try now", () => {
  expect([...oneIn(3, CASES, "764"), ...notThisTime(3, CASES, "764")].sort()).toEqual(CASES);
  expect(notThisTime(3, CASES, "")).toEqual([]);
});
