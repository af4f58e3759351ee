import { describe, expect, it } from "vitest";
import { aListedRun } from "@/components/testing/a-run";
import type { RunListItem } from "@/lib/api/contract/run";
import { groupsOfAttention } from "./attention-groups";

const listed = (given: Partial<RunListItem>) => aListedRun(given);

const LATE = { open: 0, holding: [], changed: [], behindMs: 60_000 };

describe("what needs attention", () => {
  const failed = (id: string, failedStep: string) =>
    listed({ id, attention: "failed", failedStep, error: { name: "GatewayUnavailable", message: "m" } });

  it("is one thing where runs failed alike, and one each where a person has to look", () => {
    const needsPerson = [
      listed({ id: "u1", attention: "outcome_unknown" }),
      listed({ id: "u2", attention: "outcome_unknown" }),
      failed("1", "charge"),
      failed("2", "charge"),
      failed("3", "send-mail"),
    ];
    const byAttention = { failed: 3, outcome_unknown: 2, compensation_owed: 0, approval: 0 };
    expect(
      groupsOfAttention({ needsPerson, byAttention, problems: LATE }).map(({ runs, more }) => [runs.length, more]),
    ).toEqual([
      [1, false],
      [1, false],
      [2, false],
      [1, false],
    ]);
  });

  it("admits that there are more than it was groups of", () => {
    const needsPerson = Array.from({ length: 20 }, (_, index) => failed(String(index), "charge"));
    const byAttention = { failed: 412, outcome_unknown: 0, compensation_owed: 0, approval: 0 };
    expect(groupsOfAttention({ needsPerson, byAttention, problems: LATE })).toMatchObject([{ more: true }]);
  });

  it("leaves failures to their problems while those are counted in time", () => {
    const needsPerson = [listed({ id: "u1", attention: "outcome_unknown" }), failed("1", "charge")];
    const byAttention = { failed: 1, outcome_unknown: 1, compensation_owed: 0, approval: 0 };
    const groups = groupsOfAttention({ needsPerson, byAttention, problems: { ...LATE, behindMs: 400 } });
    expect(groups.map(({ attention }) => attention)).toEqual(["outcome_unknown"]);
  });
});
