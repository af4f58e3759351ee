import { describe, expect, it } from "vitest";
import type { Faults } from "@/components/domain/sandbox/sandbox-answers";
import { aListedRun } from "@/components/testing/a-run";
import type { RunListItem } from "@/lib/api/contract/run";
import type { Attention } from "@/lib/engine/runs/run";
import { type GuideFacts, guideSteps } from "./guide-steps";

const listed = (id: string, attention: Attention | null, generation = 1): RunListItem =>
  aListedRun({ id, attention, generation });

const works = { mode: "none" } as const;
const faults = (payments: Faults["payments"]): Faults => ({
  payments,
  mail: works,
  blobs: works,
  users: works,
  webhooks: works,
});

const outage: GuideFacts = {
  overview: {
    needsPerson: [listed("u", "outcome_unknown"), listed("c", "compensation_owed"), listed("f", "failed")],
    byAttention: { failed: 24, outcome_unknown: 1, compensation_owed: 1, approval: 0 },
    byStatus: {
      pending: 0,
      running: 0,
      waiting: 1,
      completed: 20,
      failed: 24,
      cancelled: 0,
      compensating: 1,
      compensated: 0,
      paused: 0,
    },
  },
  faults: faults({ mode: "down" }),
  completed: [],
  visited: new Set(),
};

const doneIn = (facts: Partial<GuideFacts>) =>
  guideSteps({ ...outage, ...facts })
    .filter(({ done }) => done)
    .map(({ id }) => id);

describe("the guide", () => {
  it("begins with nothing done, and leads to the runs that it speaks of", () => {
    expect(doneIn({})).toEqual([]);
    expect(Object.fromEntries(guideSteps(outage).map(({ id, href }) => [id, href]))).toMatchObject({
      rerun: "/runs/f",
      settle: "/runs/u",
      refund: "/compensations",
    });
  });

  it("ticks itself off from what is true", () => {
    expect(doneIn({ faults: faults(works) })).toEqual(["gateway"]);
    expect(doneIn({ completed: [listed("f", null, 2)] })).toEqual(["look", "rerun"]);
    expect(
      doneIn({ overview: { ...outage.overview, byAttention: { ...outage.overview.byAttention, outcome_unknown: 0 } } }),
    ).toEqual(["settle"]);
    expect(doneIn({ visited: new Set(["look", "ledger"]) })).toEqual(["look", "ledger"]);
  });

  it("does not call an outage over that has not begun", () => {
    const byAttention = { failed: 0, outcome_unknown: 0, compensation_owed: 0, approval: 0 };
    expect(doneIn({ overview: { ...outage.overview, needsPerson: [], byAttention }, faults: faults(works) })).toEqual(
      [],
    );
  });
});
