import { describe, expect, it } from "vitest";
import { ASSUMED, costPerStep, fitCost, type Inputs, LIMITS, planFor, predictThroughput } from "./model";

const NOTHING = { run: 0, step: 0, kilobyte: 0 };
const shape = { stepsPerRun: 5, bytesPerValue: 200 };
const inputs: Inputs = {
  workerUs: { run: 50, step: 20, kilobyte: 10 },
  serverUs: { run: 50, step: 10, kilobyte: 10 },
  walBytes: { run: 1_000, step: 100, kilobyte: 1_000 },
  storedBytes: { run: 500, step: 100, kilobyte: 1_000 },
  networkBytes: { run: 500, step: 100, kilobyte: 1_000 },
  startUs: 10,
  deletion: { serverUsPerRun: 40, walBytesPerRun: 500, runsPerSecond: 10_000 },
  commitsPerSecond: 150,
  idleStatementsPerSecond: 3,
  efficiency: 0.8,
};

describe("a cost", () => {
  it("is found again from three measurements", () => {
    const cost = { run: 60, step: 7, kilobyte: 3 };
    const at = (stepsPerRun: number, bytesPerValue: number) => {
      const one = { stepsPerRun, bytesPerValue };
      return { shape: one, perStep: costPerStep(cost, one) };
    };
    const found = fitCost(at(3, 10), at(30, 10), at(3, 4_000));
    for (const part of ["run", "step", "kilobyte"] as const) expect(found[part]).toBeCloseTo(cost[part]);
  });
});

describe("throughput", () => {
  it("is bounded by the worker's one core, and by what worker and server share", () => {
    // A step: worker 50/5 + 20 + 2 = 32 us; server (50-10)/5 + 10 + 2 = 20 us.
    expect(predictThroughput(inputs, shape, { workers: 1, cores: 8 })).toBeCloseTo(0.8 * (1e6 / 32));
    expect(predictThroughput(inputs, shape, { workers: 4, cores: 2 })).toBeCloseTo(0.8 * (1e6 / 26));
  });
});

describe("a plan", () => {
  it("adds what deletes cost to the server and the WAL", () => {
    const plan = planFor(inputs, shape, 100_000, 86_400);
    expect(plan.cores).toBeCloseTo((100_000 * 22 + 20_000 * 40) / 1e6 / ASSUMED.busy);
    expect(plan.walBytesPerSecond).toBeCloseTo(100_000 * 500 + 20_000 * 500);
    expect(plan.diskBytes).toBeCloseTo(100_000 * 86_400 * 400 * ASSUMED.bloat);
  });

  it("has two workers and one installation at least", () => {
    const plan = planFor(inputs, shape, 10, 86_400);
    expect([plan.workers, plan.installations]).toEqual([2, 1]);
    expect(plan.connections).toBe(2 * 18 + 11);
    expect(plan.commitsPerSecond).toBe(14);
  });

  it("names the limit that needs most installations, whichever it is", () => {
    const kept = 60;
    const firsts = {
      deletions: planFor({ ...inputs, deletion: { ...inputs.deletion, runsPerSecond: 100 } }, shape, 100_000, kept),
      cores: planFor({ ...inputs, serverUs: { ...NOTHING, step: 5_000 } }, shape, 100_000, kept),
      walBytesPerSecond: planFor({ ...inputs, walBytes: { ...NOTHING, step: 50_000 } }, shape, 100_000, kept),
      connections: planFor(
        { ...inputs, workerUs: { ...NOTHING, step: 50_000 }, commitsPerSecond: 1 },
        shape,
        100_000,
        kept,
      ),
      commitsPerSecond: planFor({ ...inputs, commitsPerSecond: 1e6 }, shape, 1_000_000, kept),
      diskBytes: planFor(inputs, shape, 100_000, 365 * 86_400),
    };
    for (const [limit, plan] of Object.entries(firsts)) {
      expect(plan.first).toBe(limit);
      expect(plan.installations).toBe(Math.ceil(plan.uses[plan.first]));
    }
    expect(firsts.diskBytes.installations).toBe(Math.ceil(firsts.diskBytes.diskBytes / LIMITS.diskBytes));
  });

  it("costs more the longer runs are kept", () => {
    const day = planFor(inputs, shape, 1_000, 86_400);
    const week = planFor(inputs, shape, 1_000, 7 * 86_400);
    expect(week.dollarsPerMonth - day.dollarsPerMonth).toBeCloseTo((6 * day.diskBytes * 2 * 0.1) / 1e9);
  });
});
