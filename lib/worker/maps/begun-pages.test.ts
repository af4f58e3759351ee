import { expect, it } from "vitest";
import type { ClaimedStep } from "../../store/workers/claim-runs";
import { pagesByOutcome, sizesOf, unsizedPages } from "./begun-pages";

const page = (number: number, given: Partial<ClaimedStep> = {}) =>
  ({
    name: `item:page-${number}`,
    kind: "child",
    status: "completed",
    attempt: 1,
    output: null,
    ...given,
  }) as ClaimedStep;
const ended = (number: number, done: number, failed = 0) =>
  page(number, { output: JSON.stringify({ done, failed, next: null, part: null }) });
const sizes = (...steps: ClaimedStep[]) => pagesByOutcome(steps).get("item");

it("pages that have ended are as large as their counts, also where some of their items failed", () => {
  expect(sizes(ended(1, 10), ended(2, 7, 3))).toEqual([10, 10]);
  expect(unsizedPages([ended(1, 10), ended(2, 7, 3)])).toEqual([]);
});

it("a page that goes on, that a person has skipped or whose counts a person gave, and one behind a gap, are looked up", () => {
  const steps = [
    ended(1, 10),
    page(2, { status: "waiting" }),
    page(3, { status: "skipped", attempt: 0, output: "null" }),
    page(4, { attempt: 0, output: JSON.stringify({ done: 8, failed: 0, next: null, part: null }) }),
    ended(6, 10),
  ];
  expect(unsizedPages(steps)).toEqual(["item:page-2", "item:page-3", "item:page-4", "item:page-6"]);
  expect(sizes(...steps)).toEqual([10, 10, 10, 10, 10, 10]);
});

it("a child of another kind of name, or with a number beyond the last page, is none", () => {
  expect(pagesByOutcome([page(10_001), page(0), { ...page(1), kind: "step" } as ClaimedStep]).size).toBe(0);
});

it("pages between two known places share what is left between them", () => {
  const [first, skipped, third, fourth] = [{ size: 10 }, { size: undefined }, { size: 5 }, { first: 25, size: 3 }];
  expect(sizesOf([first, skipped, third, fourth])).toEqual([10, 10, 5, 3]);
  expect(sizesOf([null, null, { first: 20, size: 10 }])).toEqual([10, 10, 10]);
});
