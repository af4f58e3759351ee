import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createHandrail } from "../../library/handrail";
import { createTestDatabase } from "../../testing/database/database";
import { untilEnded } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { startWorker } from "../../testing/workers/a-worker";
import { announcer } from "../../testing/workflows/other-run-workflows";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/other-run-workflows.ts", import.meta.url));

describe.concurrent("a worker that is killed while its run publishes a value", () => {
  it.each([
    { point: "step:before-body", detail: "drawn" },
    { point: "step:after-body", detail: "drawn" },
    { point: "flush:before" },
    { point: "flush:after" },
  ] as const)("at $point: those who wait get one value, and it stays", async (fault) => {
    const database = await createTestDatabase();
    const app = createHandrail({ workflows: [announcer], databaseUrl: database.url });
    try {
      const { pool } = database;
      await callWitness(pool);
      const run = await app.start(announcer, {});
      const early = run.published<number>("drawn", { timeoutMs: 60_000 });
      const victim = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 20_000, fault });
      expect(await victim.untilEnded()).toBe("SIGKILL");
      const kept = "select from handrail.step where kind = 'publish' and status = 'completed'";
      expect((await pool.query(kept)).rows).toHaveLength(fault.point === "flush:after" ? 1 : 0);

      await pool.query("update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms'");
      const next = await startWorker(database, [announcer]);
      const value = await early;
      const { run: ended } = await untilEnded(pool, run.id);
      expect(ended).toMatchObject({ status: "completed", output: value });
      expect(await run.published("drawn")).toBe(value);
      expect((await pool.query(kept)).rows).toHaveLength(1);
      await next.stop();
      await expectInvariants(pool);
    } finally {
      await app.close();
      await database.drop();
    }
  });
});
