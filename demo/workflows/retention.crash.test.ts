import { v7 as uuidv7 } from "uuid";
import { expect, it, onTestFinished } from "vitest";
import { poolDb } from "../../lib/store/db";
import { registerWorkflows } from "../../lib/store/workers/workers";
import { createTestDatabase } from "../../lib/testing/database/database";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { ChildWorker } from "../../lib/testing/processes/crash";
import { aRun } from "../../lib/testing/rows/a-run";
import { until } from "../../lib/testing/until";
import { startWorker } from "../../lib/testing/workers/a-worker";
import { workflows } from "./index";

const OLD_MS = 400 * 86_400_000;

it.each(["retention:before-delete", "retention:before-commit", "retention:after-commit"] as const)(
  "a worker that is killed while it deletes, at %s, leaves whole runs, and another one deletes them",
  async (point) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    await callWitness(database.pool);
    await registerWorkflows(poolDb(database.pool), workflows);
    const createdAt = new Date(Date.now() - OLD_MS);
    for (let run = 0; run < 5; run++) {
      const id = uuidv7({ msecs: createdAt.getTime() });
      await aRun(poolDb(database.pool), { id, workflow: "user-sync", createdAt, idempotencyKey: id }).completed();
    }
    const runs = async () => (await database.pool.query("select from handrail.run")).rowCount;

    const victim = ChildWorker.spawn(database, { leaseMs: 20_000, fault: { point } });
    onTestFinished(() => victim.kill());
    expect(await victim.untilEnded()).toBe("SIGKILL");
    expect(await runs()).toBe(point === "retention:after-commit" ? 0 : 5);
    await expectInvariants(database.pool);

    const survivor = await startWorker(database, workflows);
    onTestFinished(() => survivor.stop(100));
    await until("The deletion", async () => (await runs()) === 0);
    await survivor.stop();
    await expectInvariants(database.pool);
  },
);
