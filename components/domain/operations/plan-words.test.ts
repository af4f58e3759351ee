import { describe, expect, it } from "vitest";
import type { Plan } from "@/lib/api/contract/plans";
import { verbOf } from "./operation-words";
import { chosenText, planSentence, stepsToRerunFrom, wholeNumber, wordToType, workflowOf } from "./plan-words";

const nothing: Plan["counts"] = {
  runs: 0,
  included: 0,
  leftOut: [],
  again: [],
  goOn: 0,
  effects: { stay: 0, repeat: 0, unprotected: 0 },
  owed: 0,
  uncompensated: 0,
  questions: 0,
  secondPerson: { runs: 0, workflows: [] },
  split: null,
};
const plan = (act: Plan["act"], counts: Partial<Plan["counts"]>, params: Plan["params"] = {}) => ({
  act,
  params,
  counts: { ...nothing, ...counts },
});

describe("a plan in one sentence", () => {
  it("of a rerun names what stays, how many are left out and why, and that keys stay", () => {
    const counts = {
      runs: 412,
      included: 409,
      again: [{ name: "charge-payment", count: 409 }],
      leftOut: [{ name: "The run is completed.", count: 3 }],
    };
    expect(planSentence(plan("rerun", counts))).toBe(
      "412 runs; 409 rerun from charge-payment, earlier results kept; 3 left out: The run is completed; idempotency keys are kept.",
    );
  });

  it("names fresh keys", () => {
    const counts = { runs: 1, included: 1, again: [{ name: "charge", count: 1 }] };
    expect(planSentence(plan("rerun", counts, { freshKeys: true }))).toBe(
      "1 run; 1 rerun from charge, earlier results kept; providers see new idempotency keys.",
    );
  });

  it("counts steps and reasons where there are many", () => {
    const again = ["a", "b", "c", "d"].map((name, at) => ({ name, count: 1_000 - at }));
    const leftOut = [
      { name: "One.", count: 2 },
      { name: "Two.", count: 1 },
    ];
    expect(planSentence(plan("rerun", { runs: 3_997, included: 3_994, again, leftOut }))).toBe(
      "3,997 runs; 1,000 rerun from a, earlier results kept; 2,994 from other steps; 3 left out for 2 reasons; idempotency keys are kept.",
    );
  });

  it("says so where there are more steps and reasons than it knows", () => {
    const most = Array.from({ length: 20 }, (_, at) => ({ name: `n${at}`, count: 1 }));
    const kinds = [...most, { name: "others", count: 480 }];
    const counts = { runs: 1_000, included: 500, again: kinds, leftOut: kinds };
    expect(planSentence(plan("rerun", counts))).toBe(
      "1,000 runs; 1 rerun from n0, earlier results kept; 499 from other steps; 500 left out for more than 20 reasons; idempotency keys are kept.",
    );
  });

  it("is in the singular for one run", () => {
    const one = { runs: 1, included: 1 };
    expect(planSentence(plan("delete", one))).toBe("1 run; 1 is deleted with its child runs, and cannot be restored.");
    expect(planSentence(plan("erase", one))).toMatch(/^1 run; 1 and its child runs have their data erased/);
    expect(planSentence(plan("erase", { runs: 2, included: 2 }))).toMatch(/^2 runs; 2 and their child runs/);
    const split = { clean: 1, owes_compensation: 0, past_undoing: 0 };
    expect(planSentence(plan("cancel", { ...one, split }))).toBe(
      "1 run; 1 ends without finishing; 1 has no completed effects.",
    );
  });

  it("splits a cancel by what it leaves behind", () => {
    const counts = { runs: 5, included: 5, split: { clean: 2, owes_compensation: 2, past_undoing: 1 } };
    expect(planSentence(plan("cancel", counts))).toBe(
      "5 runs; 5 end without finishing; 2 have no completed effects; 2 need compensation; 1 cannot be fully compensated.",
    );
  });
});

describe("what has to be typed", () => {
  it("is required for fresh keys, and for a cancel that cannot be fully compensated, and for nothing else", () => {
    const split = { clean: 1, owes_compensation: 0, past_undoing: 0 };
    expect(wordToType(plan("rerun", {}, { freshKeys: true }))).toBe("fresh keys");
    expect(wordToType(plan("rerun", {}))).toBeNull();
    expect(wordToType(plan("cancel", { split }))).toBeNull();
    expect(wordToType(plan("cancel", { split: { ...split, past_undoing: 1 } }))).toBe("cancel");
  });
});

it("steps to rerun from are those that were met, once each", () => {
  const named = (...first: string[]) => ({ count: first.length, first });
  expect(
    stepsToRerunFrom([
      { keeps: named("create"), again: named("charge") },
      { keeps: named("create", "charge"), again: named("mail") },
    ]),
  ).toEqual(["create", "charge", "mail"]);
});

it("a selection is of one workflow when its filter or its items say so", () => {
  expect(workflowOf({ filter: { workflow: ["a"] } }, undefined)).toBe("a");
  expect(workflowOf({ filter: { workflow: ["a", "b"] } }, [{ workflow: "a" }])).toBeNull();
  expect(workflowOf({ runIds: [] }, [{ workflow: "a" }, { workflow: "a" }])).toBe("a");
  expect(workflowOf({ filter: {} }, [])).toBeNull();
});

it("a whole number within its bounds, or none", () => {
  expect(wholeNumber("20", 1, 1_000)).toBe(20);
  for (const text of ["", " ", "0", "1001", "1.5", "x"]) expect(wholeNumber(text, 1, 1_000)).toBeNull();
});

it("names the chosen parameters, for a user who did not choose them", () => {
  expect(chosenText({ outcome: "waived", step: "order-transfer" })).toBe("outcome: waived · step: order-transfer");
  expect(chosenText({ payload: { a: [1] }, name: "e" })).toBe('payload: {"a":[1]} · name: e');
  expect(verbOf("mark_compensated", { outcome: "waived" })).toBe("Waive a compensation of");
  expect(verbOf("rerun")).toBe("Rerun");
});
