import { describe, expect, it } from "vitest";
import { z } from "zod";
import { demandOf, FOUR_EYES_WORDS, refusedAlone } from "../../actions/four-eyes";
import { judgeItem, planItem } from "../../actions/plan";
import { defineWorkflow } from "../workflows/workflow";
import { checkFourEyes, FOUR_EYES_ACTS, mayAnswerRequest, mayBeEyes } from "./four-eyes";
import type { PlanFacts } from "./plan";

const ana = "01900000-0000-7000-8000-00000000000a";
const bob = "01900000-0000-7000-8000-00000000000b";

describe("what takes a second person", () => {
  it.each([
    [["rerun_with_fresh_keys"], "rerun", { freshKeys: true }, "rerun_with_fresh_keys"],
    [["rerun_with_fresh_keys"], "rerun", { freshKeys: false }, null],
    [["rerun"], "rerun", { freshKeys: true }, "rerun"],
    [["move"], "rerun", { version: 2 }, "move"],
    [["move"], "rerun", {}, null],
    [["rerun_with_fresh_keys", "move"], "rerun", { freshKeys: true, version: 2 }, "rerun_with_fresh_keys"],
    [["waive"], "mark_compensated", { outcome: "waived" }, "waive"],
    [["waive"], "mark_compensated", { outcome: "compensated" }, null],
    [["mark_compensated"], "mark_compensated", { outcome: "waived" }, null],
    [["skip"], "settle", { outcome: "skip" }, "skip"],
    [["skip"], "settle", { outcome: "happened" }, null],
    [["settle"], "settle", { outcome: "skip" }, "settle"],
    [["cancel"], "cancel", {}, "cancel"],
    [[...FOUR_EYES_ACTS], "assign", {}, null],
    [[], "cancel", {}, null],
  ] as const)("%j: %s %j → %s", (declared, act, params, demand) => {
    expect(demandOf(declared, { act, params })).toBe(demand);
  });

  it("is declared by known words alone, in code and from other languages", () => {
    expect(checkFourEyes("w", ["waive", "waive"])).toEqual(["waive"]);
    expect(() => checkFourEyes("w", ["wave"])).toThrow(/"wave".*There are: rerun, /);
    expect(Object.keys(FOUR_EYES_WORDS).sort()).toEqual([...FOUR_EYES_ACTS].sort());
    expect(refusedAlone("w", "waive").message).toContain('Waiving a compensation takes a second person in "w"');
    expect(defineWorkflow({ name: "w", input: z.object({}), fourEyes: ["waive"] }, async () => 1).fourEyes).toEqual([
      "waive",
    ]);
  });
});

describe("who is a second person", () => {
  it("is a person with a sign-in", () => {
    expect(mayBeEyes({ personId: ana, signIn: true }).open).toBe(true);
    expect(mayBeEyes({ personId: null, signIn: true })).toMatchObject({ because: expect.stringContaining("token") });
    expect(mayBeEyes({ personId: null, signIn: false })).toMatchObject({
      because: expect.stringContaining("HANDRAIL_SIGN_IN=on"),
    });
  });

  it("is not the proposer, and answers once", () => {
    const request = { proposerId: ana, approver: null };
    expect(mayAnswerRequest({ ...request, status: "open" }, bob).open).toBe(true);
    expect(mayAnswerRequest({ ...request, status: "open" }, ana)).toMatchObject({
      because: expect.stringContaining("someone else"),
    });
    for (const status of ["approved", "rejected", "used", "expired"] as const)
      expect(mayAnswerRequest({ ...request, approver: "cat", status }, bob).open).toBe(false);
  });
});

describe("an item that two people have agreed on", () => {
  const run = (over: Partial<PlanFacts> = {}): PlanFacts => ({
    ...{ id: ana, workflow: "order", revision: 4, generation: 1, status: "failed" },
    ...{
      cancelRequested: false,
      pauseRequested: false,
      startsLater: false,
      failedStep: null,
      keyHeldBy: null,
      parentRunId: null,
      pageOf: null,
      erased: false,
      steps: [],
    },
    ...{ chosenVersion: null, unfit: [], splitBelow: "clean", doubtBelow: null },
    fourEyes: ["rerun"],
    ...over,
  });
  const act = { act: "rerun", params: {} } as const;
  const judge = (seen: PlanFacts, now: PlanFacts) =>
    judgeItem(act, planItem(act, seen, []), { facts: now, item: planItem(act, now, []) }).outcome;

  it("is carried out as they saw it, or not at all", () => {
    expect(judge(run(), run())).toBe("done");
    expect(judge(run(), run({ revision: 5 }))).toBe("changed");
    expect(judge(run({ fourEyes: [] }), run({ fourEyes: [], revision: 5 }))).toBe("done");
  });

  it("is left alone when a worker has charged a card since, which does not raise the run's revision", () => {
    const cancel = { act: "cancel", params: {} } as const;
    const at = (...steps: PlanFacts["steps"]) => run({ status: "running", fourEyes: ["cancel"], steps });
    const charge: PlanFacts["steps"][number] = {
      ...{ name: "charge", kind: "step", effect: "idempotent", status: "completed", position: 1, canAsk: false },
      ...{ inDoubt: false, compensationMode: "none", compensationStatus: "none", keyGeneration: 1, reference: null },
      ...{ beganAt: 1, firstOutcomeAt: 2 },
    };
    const now = { facts: at(charge), item: planItem(cancel, at(charge), []) };
    expect(judgeItem(cancel, planItem(cancel, at(), []), now)).toEqual({
      outcome: "changed",
      because: expect.stringContaining("two people agreed"),
    });
  });

  it("is not carried out when the demand came after the plan", () => {
    expect(judge(run({ fourEyes: [] }), run())).toBe("changed");
  });
});
