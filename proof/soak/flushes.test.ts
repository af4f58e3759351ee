import { expect, it } from "vitest";
import { WorkerMetrics } from "../../lib/library/worker-metrics";
import { bucketsOf, quantile, since, together } from "./flushes";

it("a worker's flushes between two answers are those in between", async () => {
  const metrics = new WorkerMetrics();
  for (let n = 0; n < 100; n++) metrics.tally.flushMs.add(0.5);
  const before = bucketsOf(await metrics.text());
  for (let n = 0; n < 98; n++) metrics.tally.flushMs.add(4);
  for (let n = 0; n < 2; n++) metrics.tally.flushMs.add(90);
  const passed = since(before, bucketsOf(await metrics.text()));
  expect(quantile(passed, 0.5)).toBeCloseTo(2 + (3 * 50) / 98);
  expect(quantile(passed, 0.99)).toBeCloseTo(75);
  expect(quantile(together([passed, passed]), 0.99)).toBeCloseTo(75);
});

it("no flush has no percentile, and one beyond all bounds has the last bound", async () => {
  const metrics = new WorkerMetrics();
  expect(quantile(bucketsOf(await metrics.text()), 0.5)).toBeNull();
  metrics.tally.flushMs.add(60_000);
  expect(quantile(bucketsOf(await metrics.text()), 0.5)).toBe(30_000);
});
