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
  const waiting = ["763999", "764000", "765500"].map((turn) => notThisTime(3, CASES, turn));
  expect(waiting.map(({ length }) => length).sort()).toEqual([4, 5, 5]);
  for (const one of CASES) expect(waiting.filter((files) => files.includes(one))).toHaveLength(2);
  expect(notThisTime(3, CASES, "")).toEqual([]);
});

it.each([2, 3, 4, 6, 7])("tries each of a waiting file's own cases in some turn, one in %i", (share) => {
  const turns = Array.from({ length: 1_000 }, (_, nth) => `${(nth * 7_919) % 1_000_000}`);
  const chosen = turns.filter((turn) => !notThisTime(6, CASES, turn).includes("b"));
  expect(new Set(chosen.flatMap((turn) => oneIn(share, CASES, turn)))).toEqual(new Set(CASES));
});
