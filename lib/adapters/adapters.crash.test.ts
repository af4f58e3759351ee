import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openApp } from "../app";
import { poolDb } from "../store/db";
import { ADAPTERS, type OpenAdapter } from "../testing/adapters/adapter-cases";
import { adapterWorkflow } from "../testing/adapters/adapter-workflow";
import { createTestDatabase } from "../testing/database/database";
import { untilEnded } from "../testing/database/history";
import { expectInvariants } from "../testing/database/invariants";
import { callWitness } from "../testing/database/witness";
import { ChildWorker } from "../testing/processes/crash";
import { oneIn } from "../testing/sample";
import { TRANSACTION } from "../testing/scenes/fault-scene";
import { start } from "../testing/workers/a-worker";
import { startWorker } from "../testkit/start-worker";

const WORKFLOWS = fileURLToPath(new URL("../testing/adapters/child-workflows.ts", import.meta.url));
const CASES = Object.keys(ADAPTERS).flatMap((name) => TRANSACTION.map((point) => ({ name, point })));

describe.concurrent("a worker that is killed in a transactional step", () => {
  for (const { name, point } of oneIn(5, CASES))
    it(`at ${point}, by ${name}: row and checkpoint are there together, once`, async ({ onTestFinished }) => {
      const database = await createTestDatabase();
      const adapter = (await ADAPTERS[name]?.(database.url)) as OpenAdapter;
      onTestFinished(async () => {
        await adapter.close();
        await database.drop();
      });
      await callWitness(database.pool);
      await database.pool.query("create table adapter_row (run_id text not null)");
      const workflow = adapterWorkflow(adapter);
      const runId = await start(poolDb(database.pool), workflow);
      const env = { HANDRAIL_TEST_ADAPTER: name };
      const victim = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 20_000, fault: { point }, env });
      onTestFinished(() => victim.kill());
      expect(await victim.untilEnded()).toBe("SIGKILL");
      const rows = async () => (await database.pool.query("select run_id from adapter_row")).rows;
      const checkpoints = "select from handrail.step where status = 'completed'";
      const kept = (await database.pool.query(checkpoints)).rows.length;
      expect(kept).toBe(point === "transaction:after-commit" ? 1 : 0);
      expect(await rows()).toHaveLength(kept);

      await database.pool.query("update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms'");
      const survivor = await startWorker(database.url, [workflow], (pool) => openApp(adapter, pool));
      onTestFinished(() => survivor.stop(100));
      const { run } = await untilEnded(database.pool, runId);
      await survivor.stop();
      expect(run).toMatchObject({ status: "completed", output: "written" });
      expect(await rows()).toEqual([{ run_id: runId }]);
      await expectInvariants(database.pool);
    });
});
