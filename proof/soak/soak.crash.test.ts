import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isMet } from "../bench/figure";
import { soak } from "./soak";

/** Part of the test's name; HANDRAIL_SOAK_SEED repeats one. */
const seed = Number(process.env.HANDRAIL_SOAK_SEED ?? 1 + (Date.now() % 1_000_000));
/** Without the search for the maximum and the start of servers. */
const MINUTES = 0.3;

it(`a short soak with kills and deploys finds nothing (seed ${seed})`, async () => {
  const said: string[] = [];
  const samplesFile = join(tmpdir(), `handrail-soak-test-${process.pid}.jsonl`);
  onTestFinished(() => rm(samplesFile, { force: true }));
  const say = (line: string) => said.push(line);
  const { figures, samples, fleet } = await soak({ minutes: MINUTES, seed, withConsole: false, samplesFile, say });
  expect(figures.filter((figure) => !isMet(figure))).toEqual([]);
  expect(fleet.kills).toBeGreaterThan(0);
  expect(fleet.deploys).toBeGreaterThan(0);
  expect(samples.some(({ stepsASecond }) => stepsASecond > 0)).toBe(true);
  expect(said).toContainEqual(expect.stringMatching(/^Maximum: /));
});
