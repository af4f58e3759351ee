import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRecord, aRegisteredWorker, aStepRecord, claimOne } from "../../testing/rows/claims";
import { until } from "../../testing/until";
import { start } from "../../testing/workers/a-worker";
import { clientDb, poolDb } from "../db";
import { record } from "../steps/record";
import { claimRuns } from "./claim-runs";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it.each([
  ["ready", "due_at = null, status = 'pending'"],
  [
    "due",
    "due_at = clock_timestamp(), status = 'waiting', waiting_kind = 'retry', waiting_step = 'first', waiting_since = clock_timestamp()",
  ],
])(
  "a claim does not take a run that is %s again with the steps it had before another worker went on with it",
  async (name, rests) => {
    const workflow = defineWorkflow({ name: `stale-${name}`, input: z.object({}) }, async () => null);
    const db = poolDb(database.pool);
    const runId = await start(db, workflow);
    const rest = (worker: number) =>
      database.pool.query(
        `update handrail.run set worker_id = null, revision = revision + 1, ${rests} where id = $1 and worker_id = $2`,
        [runId, worker],
      );
    const first = await claimOne(db, workflow);
    await rest(first.workerId);

    // Its claim reads what is there, and then waits: its machine is slow, or its database.
    const slow = await aRegisteredWorker(db);
    const [holder, own] = [await database.pool.connect(), await database.pool.connect()];
    try {
      await holder.query("begin");
      await holder.query("select from handrail.worker where id = $1 for update", [slow]);
      const claiming = claimRuns(clientDb(own), slow, [workflow], 1);
      await until("the claim waits", async () => {
        const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%closed_intakes%'";
        return (await database.pool.query(waits)).rows.length > 0;
      });
      const other = await claimOne(db, workflow);
      await record(db, [aRecord(other, { step: aStepRecord({ name: "first" }) })]);
      await rest(other.workerId);
      await holder.query("commit");

      const { runs } = await claiming;
      const found = runs.length > 0 ? runs : (await claimRuns(db, slow, [workflow], 1)).runs;
      expect(found.map(({ id, steps }) => [id, steps.map((step) => step.name)])).toEqual([[runId, ["first"]]]);
    } finally {
      holder.release();
      own.release();
    }
  },
);
