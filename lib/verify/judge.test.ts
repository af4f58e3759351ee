import { describe, expect, it } from "vitest";
import type { Fault } from "./faults";
import { judge } from "./judge";
import type { Ending } from "./trial";
import { Sights } from "./watch";

const down: Fault = { kind: "down", step: "charge" };
const death: Fault = { kind: "worker_dies", point: "compensation:after-record", detail: "", nth: 1, step: "reserve" };

const ending = (status: Ending["status"], steps: string[], left: string[]): Ending => ({
  ...{
    status,
    waitingFor: null,
    error: null,
    asks: false,
    unknown: [],
    failedCompensations: [],
    passages: [],
    stuck: false,
  },
  ...{ begun: new Map(), notReached: 0, observation: { left } },
  steps: steps.map((name) => ({ name, status: name === "charge" ? "failed" : "completed" })),
});

const findingsOf = (before: Ending, now: Ending) => {
  const seen = { number: 1, faults: [down, death], more: [death], before, now, sights: new Sights("order") };
  return judge(seen).findings.map(({ kind, step }) => ({ kind, step }));
};

describe("after a failure that compensations follow", () => {
  const before = ending("compensated", ["reserve", "charge"], ["released"]);

  it("another end is a finding", () => {
    expect(findingsOf(before, ending("compensated", ["reserve", "charge"], []))).toMatchObject([{ kind: "never" }]);
    expect(findingsOf(before, ending("failed", ["reserve", "charge"], ["released"]))).toMatchObject([
      { kind: "fails" },
    ]);
  });

  it("how far a branch beside the failed one came is none, but what happens twice is", () => {
    const further = ["reserve", "charge", "note"];
    expect(findingsOf(before, ending("compensated", further, ["released", "noted"]))).toEqual([]);
    expect(findingsOf(ending("compensated", further, ["released", "noted"]), before)).toEqual([]);
    expect(findingsOf(before, ending("compensated", further, ["released", "released"]))).toMatchObject([
      { kind: "twice" },
    ]);
  });

  it("a step that only a completed run with the fault has is one", () => {
    const completed = ending("completed", ["reserve"], []);
    expect(findingsOf(completed, ending("completed", ["reserve", "note"], []))).toEqual([
      { kind: "other_path", step: "note" },
    ]);
  });
});
