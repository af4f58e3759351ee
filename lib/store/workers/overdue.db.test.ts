import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRun } from "../../testing/rows/a-run";
import { examine } from "../database/doctor";
import { poolDb } from "../db";
import { listOverdue } from "./overdue";

let database: TestDatabase;
let runId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query("truncate handrail.worker; truncate handrail.run cascade");
  const { asleepAfter } = aRun(poolDb(database.pool), { idempotencyKey: undefined });
  runId = await asleepAfter("create-order");
  await change("due_at = now() - interval '2 minutes'");
});
afterAll(() => database.drop());

const change = (set: string) => database.pool.query(`update handrail.run set ${set} where id = $1`, [runId]);

/** An idle worker with four slots. */
const aWorker = (more: Record<string, string> = {}) => {
  const columns: Record<string, string> = {
    name: "'w'",
    workflows: "'{order-fulfilment}'",
    versions: `'{"order-fulfilment": [1, 3]}'`,
    concurrency: "4",
    running: "0",
    started_at: "now() - interval '1 hour'",
    lease_expires_at: "now() + interval '1 hour'",
    ...more,
  };
  const [names, values] = [Object.keys(columns), Object.values(columns)];
  return database.pool.query(`insert into handrail.worker (${names}) values (${values})`);
};

const overdue = async () => {
  const db = poolDb(database.pool);
  const listed = await listOverdue(db, 10);
  const hits = (await examine(db)).find(({ rule }) => rule.name.startsWith("A due run is claimed"))?.hits;
  expect(hits, "the doctor and the overview agree").toHaveLength(listed.length);
  return listed.map(({ workflow, runs }) => ({ workflow, runs }));
};
const ONE = [{ workflow: "order-fulfilment", runs: 1 }];

it("lists a run that an idle worker of its version does not claim", async () => {
  expect(await overdue()).toEqual([]);
  await aWorker();
  expect(await overdue()).toEqual(ONE);
  await change("due_at = now() - interval '10 seconds'");
  expect(await overdue()).toEqual([]);
});

it.each([
  ["has begun only now", { started_at: "now()" }],
  ["is silent", { lease_expires_at: "now() - interval '1 second'" }],
  ["is about to stop", { stopping_at: "now()" }],
  ["has another version", { versions: `'{"order-fulfilment": [2]}'` }],
  ["has other workflows", { workflows: "'{refunds}'" }],
  ["is asked to hold the workflow", { held_workflows: "'{order-fulfilment}'" }],
  ["has a backlog", { running: "3" }],
])("omits a run whose worker %s", async (_, worker) => {
  await aWorker(worker);
  expect(await overdue()).toEqual([]);
});

it("lists a run that its queue does not admit, whatever else its worker does, if the worker has room", async () => {
  await change("queue_key = 'shop'");
  await aWorker({ running: "4" });
  expect(await overdue()).toEqual([]);
  await aWorker({ running: "3" });
  expect(await overdue()).toEqual(ONE);
});
