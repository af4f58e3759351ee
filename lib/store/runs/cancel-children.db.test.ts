import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { until } from "../../testing/until";
import { start } from "../../testing/workers/a-worker";
import { clientDb, poolDb } from "../db";
import { registerWorker } from "../workers/workers";
import { cancelChildren } from "./cancel-children";

const workflow = defineWorkflow({ name: "family", input: z.object({}) }, async () => null);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const rows = async <Row>(text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows as Row[];

async function aChild(): Promise<{ parent: string; child: string }> {
  const db = poolDb(database.pool);
  const [parent, child] = [await start(db, workflow), await start(db, workflow)];
  await rows(
    `update handrail.run set parent_run_id = $1, parent_step = 'child', parent_key_generation = 1, ends_with_parent = true
     where id = $2`,
    [parent, child],
  );
  return { parent, child };
}

it.each([
  ["takes", "pending", "running"],
  ["gives back", "running", "pending"],
])("a worker that %s a child while its parent is cancelled leaves one truth: %s, then %s", async (_, before, after) => {
  const { parent, child } = await aChild();
  const worker = { name: "w", workflows: [workflow.name], concurrency: 1, leaseMs: 60_000 };
  const workerId = await registerWorker(poolDb(database.pool), worker);
  const become = `update handrail.run set status = $2, epoch = epoch + 1, revision = revision + 1,
    worker_id = case when $2 = 'running' then $3::bigint end where id = $1`;
  await rows(become, [child, before, workerId]);
  const [other, own] = [await database.pool.connect(), await database.pool.connect()];
  try {
    await other.query("begin");
    await other.query(become, [child, after, workerId]);
    await own.query("begin");
    const cancelled = cancelChildren(clientDb(own), parent);
    const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%ends_with_parent%'";
    await until("The cancel waits for the worker", async () => (await rows(waits)).length > 0);
    await other.query("commit");
    expect(await cancelled).toMatchObject([{ id: child, before: { status: after } }]);
    await own.query("commit");
    const [row] = await rows<{ status: string; asked: boolean }>(
      "select status, cancel_requested_at is not null as asked from handrail.run where id = $1",
      [child],
    );
    // One that is held is asked to end; its worker ends it.
    expect(row).toEqual(
      after === "running" ? { status: "running", asked: true } : { status: "cancelled", asked: false },
    );
  } finally {
    own.release();
    other.release();
  }
});

it("a cancel that is asked for again ends the children, all levels down, whose worker died before it could", async () => {
  const { parent, child } = await aChild();
  const { parent: held, child: below } = await aChild();
  const db = poolDb(database.pool);
  await rows(
    "update handrail.run set parent_run_id = $1, parent_step = 'b', parent_key_generation = 1, ends_with_parent = true where id = $2",
    [parent, held],
  );
  const worker = { name: "w2", workflows: [workflow.name], concurrency: 1, leaseMs: 60_000 };
  const workerId = await registerWorker(db, worker);
  await rows("update handrail.run set cancel_requested_at = clock_timestamp() where id = any ($1::uuid[])", [
    [child, held, below],
  ]);
  await rows("update handrail.run set status = 'running', epoch = epoch + 1, worker_id = $2 where id = $1", [
    held,
    workerId,
  ]);
  const cancelled = await db.transaction((tx) => cancelChildren(tx, parent));
  // The one whose worker lives is left to it; its child is not.
  expect(cancelled.map(({ id }) => id).sort()).toEqual([child, below].sort());
});
