import { describe, expect, it } from "vitest";
import { failingSince, failureRatio } from "./flow";

const of = (version: number, failed: number, completed: number) => ({ version, failed, completed });

it("the failure ratio counts ended runs, and is null without any", () => {
  expect(failureRatio({ completed: 3, failed: 1 })).toBe(0.25);
  expect(failureRatio({ completed: 0, failed: 0 })).toBeNull();
});

describe("a workflow is failing since", () => {
  it.each([
    ["the version that began it", [of(8, 9, 1), of(7, 5, 5), of(6, 0, 40), of(5, 10, 0)], 7],
    ["no version when the newest does well", [of(8, 0, 9), of(7, 9, 1), of(6, 0, 9)], null],
    ["no version when it always has", [of(2, 9, 1), of(1, 8, 2)], null],
    ["no version of which too few ended", [of(8, 4, 0), of(7, 0, 50)], null],
    ["no version that is hardly worse than the one before", [of(8, 20, 80), of(7, 15, 85)], null],
  ])("%s", (_, versions, since) => expect(failingSince(versions)).toBe(since));
});
