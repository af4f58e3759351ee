import { expect, it } from "vitest";
import type { Sample } from "../sample";
import { chartOf } from "./chart";

const sample = (at: number, of: Partial<Sample> = {}): Sample => ({
  ...{ at, runsASecond: 100, stepsASecond: 300, flushP50: 2, flushP99: 10, bytes: { run: 1, step: 2 }, deadTuples: 5 },
  ...{ walBytesASecond: 1, backlog: 5, workers: [], consoleMb: null, readsP95: null, kills: 0, deploys: 0 },
  ...of,
});

const points = (svg: string) => [...svg.matchAll(/polyline class="line c0" points="([^"]+)"/g)].map(([, all]) => all);

it("a line goes from its first sample to its last, upwards as values grow", () => {
  const svg = chartOf([sample(60, { stepsASecond: 0 }), sample(120, { stepsASecond: 300, deploys: 1 })]);
  expect(points(svg)[0]).toBe("202.0,120.0 404.0,0.0");
  expect(svg.match(/class="deploy"/g)).toHaveLength(6);
});

it("what was not measured has no panel, and both colour schemes are there", () => {
  const svg = chartOf([sample(60)]);
  expect(svg).not.toContain("Requests of readers");
  expect(svg).not.toContain("Memory");
  expect(svg).toContain("@media (prefers-color-scheme: dark)");
});
