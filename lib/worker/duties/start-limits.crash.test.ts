import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { poolDb } from "../../store/db";
import { createTestDatabase } from "../../testing/database/database";
import { untilEnded } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";
import { inRoom } from "../../testing/workflows/singleton-workflows";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/singleton-workflows.ts", import.meta.url));
/** The killed worker does not have it, so that it ends its run in a sweep and not by a claim. */
const elsewhere = defineWorkflow({ name: "elsewhere", input: z.object({}) }, async () => null);

/** Around the sweep, and around the end of a run that was claimed too late. */
it.each(["expire:before", "expire:after", "run:before-end", "run:after-end"] as const)(
  "a worker killed at %s: a run that was not begun in time is cancelled once, and nothing of it is executed",
  async (point) => {
    const database = await createTestDatabase();
    try {
      const { pool } = database;
      await callWitness(pool);
      await pool.query("create table room (customer text primary key, run_id uuid)");
      const swept = point.startsWith("expire");
      const killed = ChildWorker.spawn(database, {
        workflows: WORKFLOWS,
        // The next heartbeat, and its sweep, is seconds away: a note makes the worker claim first.
        leaseMs: swept ? 2_500 : 12_000,
        fault: { point },
      });
      await killed.untilReady();
      const limit = { beginWithinMs: 1 };
      const runId = swept
        ? await start(poolDb(pool), elsewhere, {}, limit)
        : await start(poolDb(pool), inRoom, { customer: "late" }, limit);
      await delay(5);
      await pool.query("select handrail.note_work()");
      await until("The child's death", () => killed.hasEnded);

      const next = await startWorker(database, [inRoom], { leaseMs: 2_500 });
      const { run, steps } = await untilEnded(pool, runId);
      expect(run).toMatchObject({ status: "cancelled", attention: null, error: { code: "start_expired" } });
      expect(steps).toEqual([]);
      // Its singleton key is free.
      expect((await untilEnded(pool, await start(poolDb(pool), inRoom, { customer: "late" }))).run.status).toBe(
        "completed",
      );
      expect((await pool.query("select revision from handrail.run where id = $1", [runId])).rows).toEqual([
        { revision: String(run.revision) },
      ]);
      await next.stop();
      await expectInvariants(pool);
    } finally {
      await database.drop();
    }
  },
);
