import { describe, expect, it } from "vitest";
import { judgeCanary, judgeItem, judgeLatest, mayOperate } from "./operation";
import { type PlanFacts, planItem } from "./plan";
import type { PlannedAct } from "./planned-act";

const rerun: PlannedAct = { act: "rerun", params: {} };

const failedRun = (over: Partial<PlanFacts> = {}): PlanFacts => ({
  id: "01900000-0000-7000-8000-000000000001",
  workflow: "order",
  revision: 4,
  generation: 1,
  status: "failed",
  cancelRequested: false,
  pauseRequested: false,
  startsLater: false,
  failedStep: null,
  chosenVersion: null,
  unfit: [],
  steps: [],
  fourEyes: [],
  ...over,
});

const judge = (now: PlanFacts | null, act = rerun) => {
  const seen = planItem(act, failedRun(), []);
  return judgeItem(act, seen, now && { facts: now, item: planItem(act, now, []) }).outcome;
};

describe("an item", () => {
  it.each([
    ["done as planned", failedRun(), "done"],
    ["done although the run has moved, for nothing else would happen", failedRun({ revision: 5 }), "done"],
    ["already seen to by somebody else", failedRun({ revision: 6, generation: 2, status: "completed" }), "already"],
    ["already seen to, and failed again", failedRun({ revision: 6, generation: 2 }), "already"],
    ["not eligible any more", failedRun({ revision: 5, status: "compensated" }), "not_eligible"],
    ["not eligible when the run is gone", null, "not_eligible"],
  ])("is %s", (_, now, outcome) => {
    expect(judge(now)).toBe(outcome);
  });

  it("has changed when more would run again than was said", () => {
    const step = {
      name: "charge",
      kind: "step",
      status: "failed",
      position: 1,
      canAsk: false,
      compensationMode: "none",
      compensationStatus: "none",
      effect: "idempotent",
      keyGeneration: 1,
      reference: null,
      beganAt: 1,
      firstOutcomeAt: 2,
    } as const;
    expect(judge(failedRun({ revision: 5, failedStep: "charge", steps: [step] }))).toBe("changed");
  });
});

describe("the canary", () => {
  const outcomes = (failed: number, open: number, settled: number, sinceMs = 0) => ({ failed, open, settled, sinceMs });
  it.each([
    [outcomes(0, 0, 5), "on"],
    [outcomes(1, 0, 4), "on"],
    [outcomes(2, 3, 0), "pause"],
    [outcomes(0, 1, 4), "wait"],
    [outcomes(0, 1, 4, 600_000), "pause"],
  ])("%j: %s", (given, go) => {
    expect(judgeCanary(given).go).toBe(go);
  });

  it("hands over to a breaker that knows nothing before ten have come to rest", () => {
    expect(judgeLatest(outcomes(9, 50, 0)).go).toBe("on");
    expect(judgeLatest(outcomes(3, 0, 8)).go).toBe("pause");
    expect(judgeLatest(outcomes(2, 0, 8)).go).toBe("on");
  });
});

it("an operation that has ended is left alone; one is paused or resumed where that changes something", () => {
  expect(mayOperate("pause_operation", "running").open).toBe(true);
  expect(mayOperate("pause_operation", "paused").open).toBe(false);
  expect(mayOperate("resume_operation", "paused").open).toBe(true);
  expect(mayOperate("resume_operation", "running").open).toBe(false);
  expect(mayOperate("abort_operation", "paused").open).toBe(true);
  for (const act of ["pause_operation", "resume_operation", "abort_operation", "change_operation_rate"] as const)
    expect(mayOperate(act, "completed").open).toBe(false);
});
