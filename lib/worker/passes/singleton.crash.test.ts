import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { registerWorkflows } from "../../store/workers/workers";
import { createTestDatabase } from "../../testing/database/database";
import { untilEnded } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";
import { inRoom } from "../../testing/workflows/singleton-workflows";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/singleton-workflows.ts", import.meta.url));

/** Before the key is taken, with the key in hand, and at both sides of the end that frees it. */
it.each(["claim:after", "step:before-body", "transaction:before-commit", "run:before-end", "run:after-end"] as const)(
  "a worker killed at %s: no two runs of a singleton key are ever inside together, and the key is free at the end",
  async (point) => {
    const database = await createTestDatabase();
    try {
      const { pool } = database;
      await callWitness(pool);
      await registerWorkflows(poolDb(pool), [inRoom]);
      await pool.query("create table room (customer text primary key, run_id uuid)");
      // By SQL: the runs take their keys when they begin, several at once.
      const { rows } = await pool.query<{ id: string }>(
        `select handrail.start_run('in-room', jsonb_build_object('customer', 'c' || n % 2))::text as id from generate_series(1, 6) as n`,
      );
      const killed = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 2_500, fault: { point } });
      await until("The child's death", () => killed.hasEnded);

      const next = await startWorker(database, [inRoom], { leaseMs: 4_000 });
      const ended = await Promise.all(rows.map(({ id }) => untilEnded(pool, id)));
      for (const { run } of ended)
        if (run.status === "failed") expect(run.error).toMatchObject({ code: "singleton_conflict" });
      const completed = ended.filter(({ run }) => run.status === "completed");
      expect(new Set(completed.map(({ run }) => run.singleton_key))).toEqual(new Set(["c0", "c1"]));
      await untilEnded(pool, await start(poolDb(pool), inRoom, { customer: "c0" }));
      await next.stop();
      await expectInvariants(pool);
    } finally {
      await database.drop();
    }
  },
);
