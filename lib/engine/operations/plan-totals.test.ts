import { expect, it } from "vitest";
import type { PlanItem } from "./plan";
import { PlanTally } from "./plan-totals";

const none = { count: 0, first: [] };
const item = (given: Partial<PlanItem>): PlanItem => ({
  ...{
    runId: "r",
    workflow: "order",
    revision: 1,
    generation: 1,
    included: true,
    because: null,
    about: none,
    keeps: none,
  },
  ...{ again: none, stay: none, repeats: none, unprotected: 0, owed: none, uncompensated: none, questions: none },
  ...{ split: null, secondPerson: null, ...given },
});

function totalsOf(items: Partial<PlanItem>[]) {
  const tally = new PlanTally();
  for (const one of items) tally.add(item(one));
  return tally.totals();
}

it("counts what does not fit into twenty steps and reasons last, however much it is", () => {
  const names = [...Array.from({ length: 25 }, (_, n) => `step ${String.fromCharCode(97 + n)}`), "step a", "others"];
  const { again, leftOut } = totalsOf([
    ...names.map((name) => ({ again: { count: 1, first: [name] } })),
    ...names.map((because) => ({ included: false, because })),
  ]);
  for (const kinds of [again, leftOut]) {
    expect(kinds).toHaveLength(21);
    expect(kinds[0]).toEqual({ name: "step a", count: 2 });
    expect(kinds.at(-1)).toEqual({ name: "others", count: 6 });
  }
});

it("counts the steps of a loop as one", () => {
  const { again } = totalsOf([1, 2, 3].map((n) => ({ again: { count: 1, first: [`charge-${n}`] } })));
  expect(again).toEqual([{ name: "charge-<n>", count: 3 }]);
});
