import { expect, it, onTestFinished } from "vitest";
import { poolDb } from "../../lib/store/db";
import { createTestDatabase } from "../../lib/testing/database/database";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { ChildWorker } from "../../lib/testing/processes/crash";
import { aRun } from "../../lib/testing/rows/a-run";
import { until } from "../../lib/testing/until";
import { startWorker } from "../../lib/testing/workers/a-worker";
import { workflows } from "./index";

const RUNS = 40;

it.each(["rollups:before-fold", "rollups:before-commit", "rollups:after-commit"] as const)(
  "a worker that is killed while it counts runs, at %s, leaves all or none of them, and another one counts each once",
  async (point) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    await callWitness(database.pool);
    const db = poolDb(database.pool);
    for (let run = 0; run < RUNS; run++) await aRun(db, { idempotencyKey: `r${run}` }).completed();
    const counted = async () =>
      (
        await database.pool.query(
          `select coalesce(sum(completed), 0)::int as runs,
            (select coalesce(sum(executions), 0)::int from handrail.step_rollup where minutes = 60) as steps
           from handrail.run_rollup where minutes = 60`,
        )
      ).rows[0];

    const victim = ChildWorker.spawn(database, { leaseMs: 20_000, fault: { point } });
    onTestFinished(() => victim.kill());
    expect(await victim.untilEnded()).toBe("SIGKILL");
    const all = { runs: RUNS, steps: RUNS * 3 };
    expect(await counted()).toEqual(point === "rollups:after-commit" ? all : { runs: 0, steps: 0 });

    const survivor = await startWorker(database, workflows);
    onTestFinished(() => survivor.stop(100));
    await until("The count", async () => (await counted()).runs >= RUNS);
    await survivor.stop();
    expect(await counted()).toEqual(all);
    await expectInvariants(database.pool);
  },
);
