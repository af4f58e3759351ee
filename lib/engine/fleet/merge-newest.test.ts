import { expect, it } from "vitest";
import { mergeNewest } from "./merge-newest";

const runs = (...ids: string[]) => ids.map((id) => ({ id }));

it("shows nothing below the place where one of the cells has stopped to look", () => {
  const far = { runs: runs("9", "6", "3"), to: null };
  const stopped = { runs: runs("8"), to: "5" };
  expect(mergeNewest([far, stopped], 10)).toEqual({ runs: runs("9", "8", "6"), to: "5" });
  expect(mergeNewest([far, { ...stopped, to: null }], 10)).toEqual({ runs: runs("9", "8", "6", "3"), to: null });
});

it("goes on behind the last run of a full page", () => {
  const cells = [
    { runs: runs("9", "7"), to: "7" },
    { runs: runs("8", "6"), to: null },
  ];
  expect(mergeNewest(cells, 2)).toEqual({ runs: runs("9", "8"), to: "8" });
});
