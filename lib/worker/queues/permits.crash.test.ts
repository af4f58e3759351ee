import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { createTestDatabase } from "../../testing/database/database";
import { untilEnded } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";
import { workflows } from "../../testing/workflows/limited-steps";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/limited-steps.ts", import.meta.url));
const RUNS = 8;

/** Around taking a permit, with one in hand, and around giving it back and calling the next. */
it.each([
  "permit:before-take",
  "permit:after-take",
  "step:before-body",
  "step:after-body",
  "flush:after",
  "run:before-suspend",
  "permit:before-call",
  "permit:after-call",
] as const)(
  "a worker killed at %s: never more calls at once than the limit, no permit is lost, and every run ends",
  async (point) => {
    const database = await createTestDatabase();
    const before = process.env.PROVIDER_URL;
    process.env.PROVIDER_URL = database.url;
    try {
      const { pool } = database;
      await callWitness(pool);
      await pool.query(
        "create table provider_call (id bigint generated always as identity, run_id uuid, epoch bigint, ended_at timestamptz)",
      );
      const db = poolDb(pool);
      const ids: string[] = [];
      for (let index = 0; index < RUNS; index++) ids.push(await start(db, workflows[index % 2 ? 0 : 1]));
      // At a later passage, permits are in hand and others wait.
      const fault = { point, passage: point.startsWith("permit:") ? 3 : 2 };
      const killed = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 2_500, fault });
      await until("The child's death", () => killed.hasEnded);

      const next = await startWorker(database, workflows, { leaseMs: 4_000 });
      const ended = await Promise.all(ids.map((id) => untilEnded(pool, id)));
      for (const { run } of ended) expect(run.status).toBe("completed");
      for (const { run } of ended) expect(run.output).toBeLessThanOrEqual(1);
      const { rows } = await pool.query(
        `select from handrail.permit where handrail.permit_is_held(permit) union all select from handrail.permit_wait`,
      );
      expect(rows).toEqual([]);
      await next.stop();
      await expectInvariants(pool);
    } finally {
      process.env.PROVIDER_URL = before;
      await database.drop();
    }
  },
);
