import { expect, it } from "vitest";
import { Reach } from "./reach";

it("asks each cell for its part and half as many again, fifty at least and 200 at most", () => {
  expect([50, 200, 400, 800].map((wanted) => new Reach({ runs: wanted, searches: 1 }, 4).perPage)).toEqual([
    50, 75, 150, 200,
  ]);
  expect(new Reach({ runs: 100, searches: 1 }, 1).perPage).toBe(150);
});

it("ends where the cells together have given enough that is newer", () => {
  const reach = new Reach({ runs: 3, searches: 1 }, 2);
  reach.note("eu", ["9", "7"]);
  expect(reach.isFullAbove("1")).toBe(false);
  reach.note("us", ["8", "2"]);
  expect([reach.isFullAbove("2"), reach.isFullAbove("7")]).toEqual([true, false]);
  reach.note("eu", []);
  expect(reach.isFullAbove("1")).toBe(false);
});
