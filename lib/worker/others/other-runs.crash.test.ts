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
import { called, caller, sleeper } from "../../testing/workflows/other-run-workflows";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/other-run-workflows.ts", import.meta.url));
const CASES = ["call", "cancel"].flatMap((detail) => TRANSACTION.map((point) => ({ detail, point })));

describe.concurrent("a worker that is killed while its run acts on another one", () => {
  it.each(CASES)("at $point of $detail: the other run got it once", async ({ detail, point }) => {
    const database = await createTestDatabase();
    try {
      const { pool } = database;
      await callWitness(pool);
      const rowsOf = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows;
      const call = await start(poolDb(pool), called);
      const cancel = await start(poolDb(pool), sleeper);
      const others = await startWorker(database, [called, sleeper]);
      await untilRun(pool, call, ({ run }) => run.status === "waiting");
      await untilRun(pool, cancel, ({ run }) => run.status === "waiting");
      await others.stop();

      const runId = await start(poolDb(pool), caller, { call, cancel });
      const fault = { point, detail };
      const victim = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 20_000, fault });
      expect(await victim.untilEnded()).toBe("SIGKILL");
      const kept = point === "transaction:after-commit" ? 1 : 0;
      const sent = () => rowsOf("select from handrail.event where run_id = $1", [call]);
      const cancels = () => rowsOf("select actor, reason from handrail.audit where run_id = $1", [cancel]);
      const checkpoint = "select from handrail.step where run_id = $1 and name = $2 and status = 'completed'";
      expect(await rowsOf(checkpoint, [runId, detail])).toHaveLength(kept);
      expect(await sent()).toHaveLength(detail === "call" ? kept : 1);
      expect(await cancels()).toHaveLength(detail === "call" ? 0 : kept);

      await pool.query("update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms'");
      const next = await startWorker(database, [called, sleeper, caller]);
      const { run } = await untilEnded(pool, runId);
      expect(run.output).toEqual({ sent: true, ended: { cancelled: true, status: "cancelled" } });
      expect((await untilEnded(pool, call)).run.output).toEqual([{ from: "caller" }, "nothing more"]);
      expect((await untilEnded(pool, cancel)).run.status).toBe("cancelled");
      await next.stop();
      expect(await sent()).toHaveLength(1);
      expect(await cancels()).toEqual([{ actor: `run ${runId}`, reason: "It is no longer needed" }]);
      await expectInvariants(pool);
    } finally {
      await database.drop();
    }
  });
});
