import { expect, it } from "vitest";
import type { Db } from "../../store/db";
import type { ClaimedRun, ClaimedStep } from "../../store/workers/claim-runs";
import { begunPages, pagesByOutcome, unsizedPages } from "./begun-pages";

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

it("pages between two known places share what is left between them", async () => {
  const db = {
    query: async () => [
      {
        runId: "r",
        step: "item:page-4",
        input: JSON.stringify({ map: "item", page: 4, first: 25, concurrency: 1, items: [1, 2, 3] }),
      },
    ],
  } as unknown as Db;
  const steps = [
    ended(1, 10),
    page(2, { status: "skipped", attempt: 0, output: "null" }),
    ended(3, 5),
    page(4, { status: "waiting" }),
  ];
  expect((await begunPages({ id: "run", steps } as ClaimedRun, db)).get("item")).toEqual([10, 10, 5, 3]);
});
