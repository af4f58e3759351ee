import { expect, it } from "vitest";
import { addUp, type ProofPage } from "./add-up-proof";

const NONE = { never: 0, once: 0, vouched: 0, same_key: 0, under_way: 0, unknown: 0, maybe_twice: 0 };
const page = (runs: number, ...steps: [string | null, number, object, number?][]): ProofPage => ({
  runs,
  lostAtEnd: 0,
  steps: steps.map(([step, keys, verdicts, happened = keys]) => ({
    workflow: "order",
    step,
    happened,
    keys,
    verdicts: { ...NONE, ...verdicts },
  })),
});

it("adds the pages of a proof up by step, and says what the worst of its effects means", () => {
  const proof = addUp([
    page(500, ["charge", 500, { once: 499, same_key: 1 }]),
    page(28, ["charge", 29, { once: 27, maybe_twice: 1 }, 28], ["mail", 28, { once: 27, unknown: 1, never: 3 }, 27]),
  ]);
  expect(proof).toEqual({
    runs: 528,
    lostAtEnd: 0,
    worst: "maybe_twice",
    steps: [
      { workflow: "order", step: "charge", happened: 528, keys: 529, maybeTwice: 1, open: 0 },
      { workflow: "order", step: "mail", happened: 27, keys: 28, maybeTwice: 0, open: 1 },
    ],
  });
});

it("of nothing is nothing", () => {
  expect(addUp([page(0)])).toEqual({ runs: 0, lostAtEnd: 0, steps: [], worst: null });
});

it("is not better than what a lost worker may have begun without a record", () => {
  const lost = { ...page(2, ["charge", 1, { once: 1 }]), lostAtEnd: 1 };
  expect(addUp([lost, page(1)])).toMatchObject({ runs: 3, lostAtEnd: 1, worst: "unknown" });
});

it("keeps a step named null apart from all other steps", () => {
  const { steps } = addUp([page(2, ["null", 1, { once: 1 }], [null, 1, { once: 1 }])]);
  expect(steps.map(({ step }) => step)).toEqual(["null", null]);
});
