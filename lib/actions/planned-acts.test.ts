import { describe, expect, it } from "vitest";
import type { PlanFacts, PlannedStepFacts } from "../engine/operations/plan";
import type { PlannedAct } from "./actions";
import { decidedOn, isDoneAlready, planItem } from "./plan";

const step = (name: string, position: number, over: Partial<PlannedStepFacts> = {}): PlannedStepFacts => ({
  name,
  kind: "step",
  status: "completed",
  position,
  canAsk: false,
  inDoubt: false,
  compensationMode: "none",
  compensationStatus: "none",
  effect: "idempotent",
  keyGeneration: 1,
  reference: null,
  beganAt: position * 10,
  firstOutcomeAt: position * 10 + 5,
  ...over,
});

const run = (over: Partial<PlanFacts>, ...steps: PlannedStepFacts[]): PlanFacts => ({
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
  fourEyes: [],
  steps,
  ...over,
});

const settle = (outcome: "ask" | "happened" | "did_not_happen" | "skip", name?: string): PlannedAct => ({
  act: "settle",
  params: { outcome, ...(name !== undefined && { step: name }) },
});
const because = (act: PlannedAct, facts: PlanFacts, live: number[] = []) => planItem(act, facts, live).because;
const about = (act: PlannedAct, facts: PlanFacts) => planItem(act, facts, []).about.first.map((one) => one.step);

describe("resolving in bulk", () => {
  const unknown = (name: string, position: number, canAsk = true) =>
    step(name, position, { status: "unknown", canAsk });
  const waiting = (...steps: PlannedStepFacts[]) => run({ status: "waiting" }, ...steps);

  it("is about the one unknown step, whose key it names", () => {
    const facts = waiting(step("order", 1), unknown("charge", 2));
    for (const outcome of ["ask", "happened", "did_not_happen", "skip"] as const)
      expect(about(settle(outcome), facts)).toEqual(["charge"]);
    expect(planItem(settle("ask"), facts, []).about.first[0]?.key).toBe(`${facts.id}:charge:1`);
  });

  it("asks about every unknown step, and for any other word wants to know which", () => {
    const facts = waiting(unknown("charge", 1, false), unknown("ship", 2));
    expect(about(settle("ask"), facts)).toEqual(["charge", "ship"]);
    expect(because(settle("skip"), facts)).toContain("Choose one of them");
    expect(about(settle("skip", "ship"), facts)).toEqual(["ship"]);
    expect(because(settle("ask"), waiting(unknown("charge", 1, false)))).toContain("cannot check with the provider");
  });

  it("skips or supplies the failed step of a failed run; those that failed beside it run again", () => {
    const failed = run(
      { failedStep: "ship" },
      step("order", 1),
      step("ship", 2, { status: "failed" }),
      step("mail", 3, { status: "failed" }),
    );
    for (const outcome of ["skip", "happened"] as const) {
      const item = planItem(settle(outcome), failed, []);
      expect([item.about.first[0]?.step, item.again.first]).toEqual(["ship", ["mail"]]);
    }
    expect(because(settle("did_not_happen"), failed)).toBe("No step of this run has an unknown outcome.");
    expect(because(settle("skip"), run({}))).toBe("No step of this run has an unknown outcome.");
  });

  it("tries a step again that is said not to have happened", () => {
    expect(planItem(settle("did_not_happen"), waiting(unknown("charge", 1)), []).again.first).toEqual(["charge"]);
  });

  it("is already done when the step has been resolved", () => {
    const seen = planItem(settle("happened"), waiting(unknown("charge", 1)), []);
    expect(isDoneAlready(settle("happened"), waiting(step("charge", 1)), seen)).toBe(true);
    expect(isDoneAlready(settle("happened"), waiting(unknown("charge", 1)), seen)).toBe(false);
    // The opposite is not what was chosen.
    expect(isDoneAlready(settle("did_not_happen"), waiting(step("charge", 1)), seen)).toBe(false);
    expect(isDoneAlready(settle("skip"), waiting(step("charge", 1)), seen)).toBe(false);
    expect(isDoneAlready(settle("skip"), waiting(step("charge", 1, { status: "skipped" })), seen)).toBe(true);
  });
});

describe("a rerun of a branch", () => {
  // In order, then in parallel: charge (failed at 100) with what it led to, and ship → label.
  const branches = run(
    { failedStep: "mail" },
    step("order", 1, { beganAt: 0, firstOutcomeAt: 10 }),
    step("charge", 2, { beganAt: 20, firstOutcomeAt: 100 }),
    step("ship", 3, { beganAt: 21, firstOutcomeAt: 200 }),
    step("early-label", 4, { beganAt: 60, firstOutcomeAt: 70 }),
    step("receipt", 5, { beganAt: 100, firstOutcomeAt: 110 }),
    step("mail", 6, { beganAt: 300, firstOutcomeAt: 310, status: "failed" }),
  );
  const again = (fromStep: string, facts = branches) =>
    planItem({ act: "rerun", params: { fromStep, scope: "branch" } }, facts, []).again.first;

  it("keeps what began before the step's first outcome: none of that can have come from it", () => {
    expect(again("charge")).toEqual(["charge", "receipt", "mail"]);
    expect(again("ship")).toEqual(["ship", "mail"]);
    expect(again("order")).toEqual(branches.steps.map(({ name }) => name));
    expect(again("mail")).toEqual(["mail"]);
  });

  it("is the step alone when the code has never heard of it", () => {
    const steps = branches.steps.map((one) => (one.name === "ship" ? { ...one, firstOutcomeAt: null } : one));
    expect(again("ship", { ...branches, steps })).toEqual(["ship"]);
  });

  it("begins at a chosen step", () => {
    expect(because({ act: "rerun", params: { scope: "branch" } }, branches)).toContain("Choose the step");
  });
});

describe("moving to a version", () => {
  const move: PlannedAct = { act: "move", params: { version: 2 } };
  it("is for runs at rest that have not ended, to a version that lives and fits", () => {
    for (const status of ["pending", "waiting", "paused"] as const)
      expect(because(move, run({ status }), [1, 2])).toBeNull();
    expect(because(move, run({ status: "running" }), [2])).toContain("Pause it first");
    expect(because(move, run({ status: "failed" }), [2])).toContain("Rerun it with another version");
    expect(because(move, run({ status: "compensating" }), [2])).toContain("being compensated");
    expect(because(move, run({ status: "waiting" }), [1])).toContain("No live worker has that version");
    const unfit = [{ version: 2, gone: "charge" }];
    expect(because(move, run({ status: "waiting", unfit }), [2])).toContain('does not reach step "charge"');
    expect(because(move, run({ status: "waiting", chosenVersion: 2 }), [2])).toContain("already");
  });
});

describe("starting again", () => {
  const again: PlannedAct = { act: "start_again", params: {} };
  it("is for runs that have ended and of which nothing is in doubt; what happened will happen again", () => {
    const done = run({ status: "completed" }, step("charge", 1), step("look", 2, { effect: "pure" }));
    expect(planItem(again, done, [])).toMatchObject({ included: true, repeats: { count: 1 }, stay: { count: 0 } });
    expect(because(again, run({ status: "waiting" }))).toContain("has not ended");
    expect(because(again, run({}, step("charge", 1, { status: "unknown" })))).toContain("Resolve it first");
    expect(because(again, run({ status: "failed", pageOf: "charge" }))).toContain('page of mapSteps "charge"');
  });
});

describe("compensations, waits and events", () => {
  it("record the only pending compensation, or require its name", () => {
    const mark: PlannedAct = { act: "mark_compensated", params: { outcome: "waived" } };
    const owed = (name: string, position: number) =>
      step(name, position, { compensationMode: "manual", compensationStatus: "owed" });
    const one = run({ status: "compensating" }, owed("charge", 1), step("look", 2));
    expect(about(mark, one)).toEqual(["charge"]);
    expect(because(mark, run({ status: "compensating" }, owed("a", 1), owed("b", 2)))).toContain("Choose one");
    expect(because(mark, run({ status: "compensating" }))).toBe("This run has no open compensation.");
    const ended = (compensationStatus: "completed" | "waived") =>
      run({ status: "compensated" }, step("charge", 1, { compensationStatus }));
    expect(isDoneAlready(mark, ended("waived"), planItem(mark, one, []))).toBe(true);
    expect(isDoneAlready(mark, ended("completed"), planItem(mark, one, []))).toBe(false);
  });

  it("end the timers there are, and call it changed when there are others", () => {
    const wake: PlannedAct = { act: "wake", params: {} };
    const asleep = (name: string) => run({ status: "waiting" }, step(name, 1, { kind: "sleep", status: "waiting" }));
    expect(about(wake, asleep("a-day"))).toEqual(["a-day"]);
    const decided = ["a-day", "a-week"].map((name) => decidedOn(wake, planItem(wake, asleep(name), [])));
    expect(decided[0]).not.toBe(decided[1]);
  });

  it("compensate pending steps; a run that is being compensated is already done, unless a compensation has failed", () => {
    const act: PlannedAct = { act: "compensate", params: {} };
    const undoable = step("charge", 1, { compensationMode: "automatic" });
    const seen = planItem(act, run({}, undoable), []);
    expect(seen.owed.first).toEqual(["charge"]);
    const compensating = (compensationStatus: "owed" | "failed") =>
      run({ status: "compensating" }, { ...undoable, compensationStatus });
    expect(isDoneAlready(act, compensating("owed"), seen)).toBe(true);
    expect(isDoneAlready(act, compensating("failed"), seen)).toBe(false);
  });
});
