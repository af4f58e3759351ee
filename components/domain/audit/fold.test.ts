import { describe, expect, it } from "vitest";
import { aRerun } from "@/components/testing/a-run";
import { foldedByPlan } from "./fold";

const row = (id: number, given: object) => ({ ...aRerun(id, id), ...given });
const idsOf = (rows: Parameters<typeof foldedByPlan>[0]) =>
  foldedByPlan(rows).map((entry) => entry.map(({ id }) => id));

describe("the audit log", () => {
  it("folds what one plan did to many runs, and nothing else", () => {
    const rows = [
      row(1, { planId: "p" }),
      row(2, { planId: "p" }),
      row(3, { planId: "p", result: "refused" }),
      row(4, { planId: "q" }),
      row(5, { planId: null }),
      row(6, { planId: null }),
      row(7, { planId: "p" }),
    ];
    expect(idsOf(rows)).toEqual([["1", "2"], ["3"], ["4"], ["5"], ["6"], ["7"]]);
  });

  it("leaves the plan's own row beside those of its runs", () => {
    const rows = [row(1, { planId: "p" }), row(2, { planId: "p", act: "execute_plan", runId: null })];
    expect(idsOf(rows)).toEqual([["1"], ["2"]]);
  });
});
