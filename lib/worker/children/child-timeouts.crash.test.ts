import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { createTestDatabase } from "../../testing/database/database";
import { untilEnded, untilRun } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { TRANSACTION } from "../../testing/scenes/fault-scene";
import { start, startWorker } from "../../testing/workers/a-worker";
import { byItsTimeout, impatient, timedFamilies, workflows } from "../../testing/workflows/timed-children";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/timed-children.ts", import.meta.url));
const POINTS = [...TRANSACTION, "wake:before", "wake:after", "run:before-suspend", "run:before-end"] as const;

describe.concurrent("a worker that is killed while its run's child is late", () => {
  it.each(POINTS)("at %s: the child is cancelled once, and the parent goes on", async (point) => {
    const database = await createTestDatabase();
    try {
      const { pool } = database;
      await callWitness(pool);
      const rows = async <Row>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as Row[];
      const { childOf, auditOf } = timedFamilies({ rows });
      const runId = await start(poolDb(pool), impatient);
      const victim = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 20_000, fault: { point } });
      expect(await victim.untilEnded()).toBe("SIGKILL");
      const child = await childOf(runId);
      if ((TRANSACTION as readonly string[]).includes(point)) {
        const kept = point === "transaction:after-commit" ? [byItsTimeout(runId, "500ms")] : [];
        expect(await auditOf(child)).toEqual(kept);
      }

      await pool.query("update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms'");
      const next = await startWorker(database, workflows);
      expect((await untilEnded(pool, runId)).run.output).toBe("child_timed_out");
      await next.stop();
      await untilRun(pool, child, ({ run }) => run.status === "cancelled");
      expect(await auditOf(child)).toEqual([byItsTimeout(runId, "500ms")]);
      const leaves = await rows("select status from handrail.run where parent_run_id = $1", [child]);
      expect(leaves.every((leaf) => (leaf as { status: string }).status === "cancelled")).toBe(true);
      await expectInvariants(pool);
    } finally {
      await database.drop();
    }
  });
});
