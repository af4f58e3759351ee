import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { registerWorkflows } from "../../store/workers/workers";
import { createTestDatabase } from "../../testing/database/database";
import { untilEnded } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { start, startWorker } from "../../testing/workers/a-worker";
import { headedListener, headedParent, workflows } from "../../testing/workflows/headed-workflows";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/headed-workflows.ts", import.meta.url));
const OWN = { tenant: "acme", user: "lin" };

/** Around the record that starts a child, the parent's suspension, its wake, and the event's commit. */
const POINTS = [
  "claim:after",
  "flush:before",
  "flush:after",
  "run:before-suspend",
  "wake:before",
  "transaction:before-commit",
  "transaction:after-commit",
  "run:before-end",
] as const;

describe.concurrent("a worker that is killed while its run hands its headers on", () => {
  it.each(POINTS)("at %s: bodies, children and started runs have them, once", async (point) => {
    const database = await createTestDatabase();
    try {
      const { pool } = database;
      await callWitness(pool);
      await registerWorkflows(poolDb(pool), workflows);
      const runId = await start(poolDb(pool), headedParent, {}, { headers: OWN });
      const victim = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 20_000, fault: { point } });
      expect(await victim.untilEnded()).toBe("SIGKILL");

      await pool.query("update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms'");
      const next = await startWorker(database, workflows);
      const { run } = await untilEnded(pool, runId);
      expect(run.output).toEqual({
        own: OWN,
        between: OWN,
        child: OWN,
        other: { tenant: "acme", user: "ada", part: "2" },
      });
      const { rows } = await pool.query("select id::text from handrail.run where workflow = $1", [headedListener.name]);
      expect(rows).toHaveLength(1);
      expect((await untilEnded(pool, rows[0].id)).run.output).toEqual(OWN);
      await next.stop();
      await expectInvariants(pool);
    } finally {
      await database.drop();
    }
  });
});
