import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflow";
import { aRegisteredWorker } from "../testing/claims";
import { anEngine } from "../testing/engine";
import { claimRuns } from "./claim-runs";
import { takeOverLostRuns } from "./take-over";

const engine = anEngine();
const workflow = defineWorkflow({ name: "lost-together", input: z.object({}) }, async () => undefined);
const RUNS = 8;

beforeAll(async () => {
  for (let run = 0; run < RUNS; run++) await engine.start(workflow);
});

/** A worker takes all of them and dies. Gives the delays with which they come back, in ms. */
async function loseAllAtOnce(): Promise<number[]> {
  await engine.rows("update handrail.run set due_at = null where status = 'pending'");
  const { runs } = await claimRuns(engine.db, await aRegisteredWorker(engine.db), [workflow], RUNS);
  expect(runs).toHaveLength(RUNS);
  await engine.endLeases();
  await takeOverLostRuns(engine.db);
  const rows = await engine.rows<{ ms: number }>(
    "select coalesce(extract(epoch from due_at - clock_timestamp()) * 1000, 0)::float8 as ms from handrail.run order by due_at",
  );
  return rows.map(({ ms }) => ms);
}

it("runs lost together once come back at once; lost together again, one by one, further and further apart", async () => {
  expect(await loseAllAtOnce()).toEqual(Array(RUNS).fill(0));
  for (const apart of [250, 1_000, 4_000]) {
    const delays = await loseAllAtOnce();
    const gaps = delays.slice(1).map((delay, index) => delay - (delays[index] as number));
    expect(gaps.filter((gap) => Math.abs(gap - apart) > apart / 2)).toEqual([]);
  }
});
