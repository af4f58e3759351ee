import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { createTestDatabase } from "../../testing/database/database";
import { historyOf, untilEnded } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";
import { ownCommit } from "../../testing/workflows/own-commit-workflows";

/** Long enough for a process to start on a busy machine without losing it. */
const LEASE_MS = 2_500;
const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/own-commit-workflows.ts", import.meta.url));

it.each(["pg", "app"] as const)(
  "a body that committed its own transaction, in a worker killed before the checkpoint, is never kept as completed (%s)",
  async (client) => {
    const database = await createTestDatabase();
    try {
      await callWitness(database.pool);
      await database.pool.query("create table own_row (run_id text not null)");
      const runId = await start(poolDb(database.pool), ownCommit, { client });
      const killed = ChildWorker.spawn(database, {
        workflows: WORKFLOWS,
        leaseMs: LEASE_MS,
        fault: { point: "transaction:before-checkpoint" },
      });
      await until("The child's death", () => killed.hasEnded);
      const { steps } = await historyOf(database.pool, runId);
      expect(steps.filter(({ status }) => status !== "running")).toEqual([]);

      const next = await startWorker(database, [ownCommit], { leaseMs: 4_000 });
      const { run, steps: ended } = await untilEnded(database.pool, runId);
      await next.stop();
      expect(run).toMatchObject({ status: "failed", failed_step: "write", error: { code: "transaction_ended" } });
      expect(ended).toMatchObject([{ status: "failed", output: null }]);
      // One of the body that died, one of the refused body: the run reports both.
      const rows = await database.pool.query("select from own_row where run_id = $1", [runId]);
      expect(rows.rowCount).toBe(2);
      await expectInvariants(database.pool);
    } finally {
      await database.drop();
    }
  },
);
