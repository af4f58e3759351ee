import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { prepareEvent } from "../../engine/events/prepare-event";
import { poolDb } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import { createTestDatabase } from "../../testing/database/database";
import { untilEnded } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";
import { payments } from "../../testing/workflows/filtered-waits";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/filtered-waits.ts", import.meta.url));
const COUNTRIES = ["DE", "AT", "FR"];

/** With the event taken and not committed, and with a commit that the worker has not seen. */
it.each(["events:before-commit", "events:after-commit"] as const)(
  "a worker killed at %s: each run takes the event that fits it, once, and the one that fits none stays",
  async (point) => {
    const database = await createTestDatabase();
    try {
      const { pool } = database;
      await callWitness(pool);
      const db = poolDb(pool);
      const ids = await Promise.all(COUNTRIES.map((country) => start(db, payments, { country })));
      // The last events come first, so that the oldest fits none of the first runs.
      for (const country of ["IT", ...[...COUNTRIES].reverse()])
        await sendEvent(db, await prepareEvent("shop.paid", { country }, { key: "shop" }));
      const killed = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 2_500, fault: { point } });
      await until("The child's death", () => killed.hasEnded);

      const next = await startWorker(database, [payments], { leaseMs: 4_000 });
      const ended = await Promise.all(ids.map((id) => untilEnded(pool, id)));
      expect(ended.map(({ run }) => run.output)).toEqual(COUNTRIES.map((country) => ({ country })));
      const { rows } = await pool.query(
        "select payload::jsonb ->> 'country' as country from handrail.event where taken_by is null",
      );
      expect(rows).toEqual([{ country: "IT" }]);
      await next.stop();
      await expectInvariants(pool);
    } finally {
      await database.drop();
    }
  },
);
