import { expect, it } from "vitest";
import { deathsAt, faultsOfSteps, numberOf, type Passage } from "./faults";

const passages = (...points: Passage["point"][]): Passage[] =>
  points.map((point, at) => ({
    point,
    detail: "",
    nth: points.slice(0, at + 1).filter((one) => one === point).length,
    step: null,
  }));

it("a trial keeps its number when the run without faults passes one boundary more, or another body ran last before it", () => {
  const numbers = (of: Passage[]) =>
    new Map(deathsAt(of).map((fault) => ["point" in fault && `${fault.point} ${fault.nth}`, numberOf(0, [fault])]));
  const once = numbers(passages("claim:after", "flush:before", "flush:after", "run:after-end"));
  const more = passages("claim:after", "flush:before", "flush:after", "claim:after", "flush:before", "run:after-end");
  expect([...numbers(more.map((one) => ({ ...one, step: "other" })))]).toEqual(expect.arrayContaining([...once]));
});

it("trials of other faults, pairs and inputs have other numbers, and none that of the run without faults", () => {
  const death = deathsAt(passages("claim:after", "flush:before"));
  const deploys = deathsAt(passages("claim:after", "flush:before"), "deploy");
  const faults = [...death, ...deploys, ...faultsOfSteps([{ name: "charge", kind: "step" }])];
  const plans = [
    ...faults.map((fault) => [fault]),
    ...faults.slice(1).map((fault, at) => [faults[at] ?? fault, fault]),
  ];
  const numbers = [0, 1].flatMap((place) => plans.map((plan) => numberOf(place, plan)));
  expect(new Set([0, ...numbers]).size).toBe(numbers.length + 1);
});
