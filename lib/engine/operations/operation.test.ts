import { describe, expect, it } from "vitest";
import type { PlannedAct } from "../../actions/actions";
import { judgeItem, planItem } from "../../actions/plan";
import { judgeCanary, judgeLatest, mayOperate, seenAs } from "./operation";
import type { PlanFacts, PlannedStepFacts } from "./plan";

const rerun: PlannedAct = { act: "rerun", params: {} };
const cancel: PlannedAct = { act: "cancel", params: {} };

const charge = (status: PlannedStepFacts["status"]): PlannedStepFacts => ({
  name: "charge",
  kind: "step",
  status,
  position: 1,
  canAsk: false,
  inDoubt: false,
  compensationMode: "none",
  compensationStatus: "none",
  effect: "idempotent",
  keyGeneration: 1,
  reference: null,
  beganAt: 1,
  firstOutcomeAt: 2,
});

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
  keyHeldBy: null,
  parentRunId: null,
  pageOf: null,
  erased: false,
  chosenVersion: null,
  unfit: [],
  splitBelow: "clean",
  doubtBelow: null,
  steps: [],
  fourEyes: [],
  ...over,
});

const judge = (now: PlanFacts | null, act: PlannedAct = rerun, seen = failedRun()) =>
  judgeItem(act, planItem(act, seen, []), now && { facts: now, item: planItem(act, now, []) }).outcome;

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
    expect(judge(failedRun({ revision: 5, failedStep: "charge", steps: [charge("failed")] }))).toBe("changed");
  });

  it("has changed when a worker has charged a card since, which does not raise the run's revision", () => {
    const at = (...steps: PlannedStepFacts[]) => failedRun({ status: "running", steps });
    const read = { ...charge("completed"), name: "look-up", effect: "pure" } as const;
    expect(judge(at(charge("completed")), cancel, at())).toBe("changed");
    expect(judge(at(read), cancel, at())).toBe("done");
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

  it("hands over to a breaker that decides nothing before ten have stopped", () => {
    expect(judgeLatest(outcomes(9, 50, 0)).go).toBe("on");
    expect(judgeLatest(outcomes(3, 0, 8)).go).toBe("pause");
    expect(judgeLatest(outcomes(2, 0, 8)).go).toBe("on");
  });
});

describe("what a person may do to an operation", () => {
  it("is nothing when it has ended, and a pause or a resume only where that changes something", () => {
    expect(mayOperate("pause_operation", "running", "running").open).toBe(true);
    expect(mayOperate("pause_operation", "paused", "waiting").open).toBe(false);
    expect(mayOperate("resume_operation", "paused", "waiting").open).toBe(true);
    expect(mayOperate("resume_operation", "running", "pending").open).toBe(false);
    expect(mayOperate("abort_operation", "paused", "waiting").open).toBe(true);
    for (const act of ["pause_operation", "resume_operation", "abort_operation", "change_operation_rate"] as const)
      for (const run of ["completed", "failed", null] as const)
        expect(mayOperate(act, "completed", run).open).toBe(false);
  });

  it.each([
    ["running", "failed", true],
    ["running", "cancelled", true],
    ["paused", "cancelled", true],
    ["running", "paused", false],
    ["running", null, false],
  ] as const)(
    "of one that is %s and whose run is %s is an abort; to resume it is open: %s",
    (status, run, resumable) => {
      expect(seenAs(status, run)).toMatchObject({ status: "paused", stopped: expect.stringContaining("Its run") });
      expect(mayOperate("resume_operation", status, run).open).toBe(resumable);
      expect(mayOperate("pause_operation", status, run).open).toBe(false);
      expect(mayOperate("abort_operation", status, run).open).toBe(true);
    },
  );

  it("does not depend on how the run of an ended one has ended", () => {
    expect(seenAs("aborted", "failed")).toEqual({ status: "aborted", stopped: null });
    expect(seenAs("completed", null)).toEqual({ status: "completed", stopped: null });
  });
});
