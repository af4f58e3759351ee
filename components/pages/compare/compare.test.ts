import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aRun, aStep, at } from "@/components/testing/a-run";
import type { Step } from "@/lib/api/contract/run";
import { alignSteps, longestRising } from "./align-steps";
import { firstDifference } from "./first-difference";
import { jsonChanges } from "./json-changes";
import { compareSteps } from "./step-difference";

const steps = (names: string) => [...names].map((name, index) => aStep(name, index + 1));
const aligned = (here: string, there: string) =>
  alignSteps(steps(here), steps(there))
    .map(({ name, here, there, moved }) => `${name}${here ? (there ? (moved ? "~" : "=") : "<") : ">"}`)
    .join(" ");

describe("the steps of two runs", () => {
  it.each([
    ["abc", "abc", "a= b= c="],
    ["abc", "abxc", "a= b= x> c="],
    ["abxc", "abc", "a= b= x< c="],
    ["abc", "acb", "a= b~ c="],
    ["", "ab", "a> b>"],
    ["ab", "", "a< b<"],
    ["cab", "abd", "c< a= b= d>"],
  ])("%s beside %s", (here, there, expected) => expect(aligned(here, there)).toBe(expected));

  it("appear once each, in the order of this run", () => {
    const names = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { maxLength: 10 });
    fc.assert(
      fc.property(names, names, (here, there) => {
        const pairs = alignSteps(steps(here.join("")), steps(there.join("")));
        expect(pairs.map(({ name }) => name).sort()).toEqual([...new Set([...here, ...there])].sort());
        expect(pairs.filter((pair) => pair.here).map(({ name }) => name)).toEqual(here);
        expect(pairs.filter((pair) => pair.there && !pair.moved).map(({ name }) => there.indexOf(name))).toEqual(
          pairs
            .filter((pair) => pair.there && !pair.moved)
            .map(({ name }) => there.indexOf(name))
            .sort((a, b) => a - b),
        );
      }),
    );
  });

  it("as many as there can be are found quickly", () => {
    const values = Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 5_000);
    const began = performance.now();
    const rising = longestRising(values);
    expect(rising).toEqual([...rising].sort((a, b) => a - b));
    expect(performance.now() - began).toBeLessThan(500);
  });
});

describe("what differs in two values", () => {
  it("is reported place by place", () => {
    const { changes } = jsonChanges(
      { a: 1, list: [1, 2], "odd key": { x: null }, same: { deep: [1] } },
      { a: 2, list: [1], "odd key": {}, same: { deep: [1] } },
    );
    expect(changes).toEqual([
      { path: "a", here: 1, there: 2 },
      { path: "list[1]", here: 2, there: undefined },
      { path: '["odd key"].x', here: null, there: undefined },
    ]);
  });

  it("says nothing of what neither shows", () => {
    const masked = { $type: "masked" };
    expect(jsonChanges({ card: masked }, { card: masked })).toEqual({ changes: [], more: false, unseen: true });
    expect(jsonChanges("to •••", "for •••")).toMatchObject({ changes: [], unseen: true });
    expect(jsonChanges(masked, 1).changes).toHaveLength(1);
  });

  it("is no longer looked for after 200", () => {
    const found = jsonChanges(
      Array.from({ length: 900 }, () => 1),
      Array.from({ length: 900 }, () => 2),
    );
    expect(found).toMatchObject({ more: true, changes: { length: 200 } });
  });

  it("is nothing in equal values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = JSON.parse(JSON.stringify(value));
        expect(jsonChanges(copy, structuredClone(copy)).changes).toEqual([]);
      }),
    );
  });
});

describe("where two runs part", () => {
  const failed: Partial<Step> = { status: "failed", error: { name: "GatewayDown", message: "connect ECONNREFUSED." } };
  const sentence = (here: Step[], there: Step[], status: "completed" | "failed" = "completed") => {
    const [one, other] = [aRun({ steps: here, status }), aRun({ steps: there })];
    return firstDifference(one, other, compareSteps(one, other));
  };
  const [a, b] = [aStep("a", 1), aStep("b", 2)];

  it.each<[string, Step[], Step[]]>([
    [
      "Same path for 1 step; then “b” failed here (connect ECONNREFUSED), and completed there.",
      [a, aStep("b", 2, failed)],
      [a, b],
    ],
    ["They diverge at step 1: this run reaches “a”, the other run does not.", [a, b], [b]],
    ["Same path for 1 step; then the other run reaches “b”, this run does not.", [a], [a, b]],
    [
      "They diverge at step 1: “a” is declared differently: sleep, pure here, step, idempotent there.",
      [aStep("a", 1, { kind: "sleep", effect: "pure" })],
      [a],
    ],
    ["Same path, same outputs.", [a, b], [a, b]],
    ["Same path. 1 output differs, starting at “b”.", [a, aStep("b", 2, { output: 1 })], [a, b]],
    ["Same path. “a” took much longer here.", [aStep("a", 1, { finishedAt: at(60) })], [a]],
  ])("%s", (expected, here, there) => expect(sentence(here, there)).toBe(expected));

  it("reports their ends, where their steps are the same", () => {
    expect(sentence([a], [a], "failed")).toBe("Same path, same outputs. This run failed, the other run completed.");
  });
});
