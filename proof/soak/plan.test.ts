import { expect, it } from "vitest";
import { planOf } from "./plan";

const MINUTE = 60_000;

it("an hour has retention and deploys of ten minutes, a kill every three and a sample every ten seconds", () => {
  expect(planOf(60)).toMatchObject({
    ...{ totalMs: 60 * MINUTE, retentionMs: 10 * MINUTE, killEveryMs: 3 * MINUTE, deployEveryMs: 10 * MINUTE },
    ...{ sampleEveryMs: 10_000, hasTrends: true },
  });
});

it("half a minute has the same in parts, none under a second, and no thirds to compare", () => {
  expect(planOf(0.5)).toMatchObject({
    ...{ totalMs: 30_000, retentionMs: 5_000, killEveryMs: 1_500, deployEveryMs: 5_000 },
    ...{ sampleEveryMs: 1_000, hasTrends: false },
  });
});

it("no minutes are refused", () => {
  expect(() => planOf(0)).toThrow("--minutes must be more than 0");
  expect(() => planOf(Number.NaN)).toThrow("--minutes must be more than 0");
});
