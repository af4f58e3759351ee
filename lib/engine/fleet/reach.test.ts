import { expect, it } from "vitest";
import { Reach } from "./reach";

/** So many ids of a cell, from this number down. */
const ids = (count: number, from = 9_999) => Array.from({ length: count }, (_, n) => `${from - n}`);

it("asks each cell first for its part and half as many again, fifty at least and 200 at most", () => {
  const firstOf = (wanted: number) => new Reach({ runs: wanted, searches: 1 }, 4).nextPage("eu");
  expect([50, 200, 400, 800].map(firstOf)).toEqual([50, 75, 150, 200]);
  expect(new Reach({ runs: 100, searches: 1 }, 1).nextPage("eu")).toBe(100);
});

it("asks then for the cell's share of what the list misses", () => {
  const reach = new Reach({ runs: 800, searches: 1 }, 2);
  reach.note("eu", ids(200));
  reach.note("us", ids(200));
  expect(reach.nextPage("eu")).toBe(200);
  reach.note("eu", ids(400));
  reach.note("us", ids(200));
  expect(reach.nextPage("eu")).toBe(200);
  reach.note("us", ids(380));
  expect(reach.nextPage("eu")).toBe(50);
});

it("expects of a cell that has not answered yet as many as this one gave, but for one page only", () => {
  const reach = new Reach({ runs: 800, searches: 1 }, 4);
  reach.note("eu", ids(200));
  expect(reach.nextPage("eu")).toBe(50);
  reach.note("eu", ids(250));
  expect(reach.nextPage("eu")).toBe(200);
});

it("expects nothing of a cell that does not answer", () => {
  const reach = new Reach({ runs: 800, searches: 1 }, 2);
  reach.note("eu", ids(200));
  expect(reach.nextPage("eu")).toBe(200);
  reach.note("us", []);
  reach.note("eu", ids(700));
  expect(reach.nextPage("eu")).toBe(100);
});

it("ends where the cells together have given enough that is newer than the rest", () => {
  const reach = new Reach({ runs: 3, searches: 1 }, 2);
  reach.note("eu", ["9", "7"]);
  expect(reach.isFullDownTo("1")).toBe(false);
  reach.note("us", ["8", "2"]);
  expect([reach.isFullDownTo("2"), reach.isFullDownTo("7"), reach.isFullDownTo("8")]).toEqual([true, true, false]);
  reach.begin("eu");
  expect(reach.isFullDownTo("1")).toBe(false);
});
