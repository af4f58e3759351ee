import { expect, it, onTestFinished } from "vitest";
import { poolDb } from "../../lib/store/db";
import { createTestDatabase } from "../../lib/testing/database/database";
import { ChildWorker } from "../../lib/testing/processes/crash";
import { aRun } from "../../lib/testing/rows/a-run";
import { until } from "../../lib/testing/until";
import { startWorker } from "../../lib/testing/workers/a-worker";
import { workflows } from "./index";

const RUNS = 40;

it.each(["problems:before-fold", "problems:before-commit", "problems:after-commit"] as const)(
  "a worker that is killed while it folds failures, at %s, leaves all or none of them, and another one counts each once",
  async (point) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const db = poolDb(database.pool);
    for (let run = 0; run < RUNS; run++) await aRun(db, { idempotencyKey: `r${run}` }).failedAt("charge-payment");
    const problems = async () =>
      (await database.pool.query("select failures::int, exhausted::int, open_runs from handrail.problem")).rows;

    const victim = ChildWorker.spawn(database, { leaseMs: 20_000, fault: { point } });
    onTestFinished(() => victim.kill());
    expect(await victim.untilEnded()).toBe("SIGKILL");
    const all = [{ failures: RUNS, exhausted: RUNS, open_runs: RUNS }];
    expect(await problems()).toEqual(point === "problems:after-commit" ? all : []);

    const survivor = await startWorker(database, workflows);
    onTestFinished(() => survivor.stop(100));
    await until("The fold", async () => (await database.pool.query("select from handrail.trouble")).rowCount === 0);
    await survivor.stop();
    expect(await problems()).toEqual(all);
    expect(
      (
        await database.pool.query(
          "select sum(failures)::int as failures from handrail.problem_count where minutes = 60",
        )
      ).rows,
    ).toEqual([{ failures: RUNS }]);
  },
);
