import { describe, expect, it } from "vitest";
import { FIRST_LOOK, MOST_LOOKED_AT, stillToLookAt } from "./pace";

describe("the number of runs that are still read", () => {
  it.each([
    ["as many again, where each takes little", 250, 1, 50, 250],
    ["as many as one page may", 1_250, 1, 50, 750],
    ["as many as fit into the rest of the time", 1_000, 30, 50, 666],
    ["none where hardly any fit", 250, 40, 50, 0],
    ["none where the time is over", 250, 300, 50, 0],
    ["none where all were", MOST_LOOKED_AT, 1, 50, 0],
    ["all the others without a limit to the time", 250, 10_000, Number.POSITIVE_INFINITY, 250],
    ["none where there is no time", FIRST_LOOK, 3, 0, 0],
  ])("%s", (_, looked, tookMs, budgetMs, more) => expect(stillToLookAt(looked, tookMs, budgetMs)).toBe(more));
});
