import { describe, expect, it, type TestContext } from "vitest";
import { prepareStart } from "../../engine/runs/start";
import { sendWork } from "../../store/database/notify";
import { poolDb } from "../../store/db";
import { insertManyRuns } from "../../store/runs/start-run";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildConsole, type ChildSetup, ChildWorker } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { createLedger, LEDGER_WORKFLOWS, noteEnd, overlaps, repeated, share } from "../../testing/workflows/ledger";
import { oneBusyLine, threeLines } from "../../testing/workflows/ledger-workflows";

type Finally = TestContext["onTestFinished"];

/** Long enough for a busy machine; here, a killed process is noticed before its lease ends. */
const LEASE_MS = 3_000;

async function aDatabase(atEnd: Finally): Promise<TestDatabase> {
  const database = await createTestDatabase();
  atEnd(() => database.drop());
  await callWitness(database.pool);
  await createLedger(database.pool);
  return database;
}

async function aWorker(database: TestDatabase, atEnd: Finally, setup: ChildSetup = {}): Promise<ChildWorker> {
  const worker = ChildWorker.spawn(database, { leaseMs: LEASE_MS, workflows: LEDGER_WORKFLOWS, ...setup });
  atEnd(() => worker.kill());
  await worker.untilReady();
  return worker;
}

async function aConsole(database: TestDatabase, atEnd: Finally): Promise<ChildConsole> {
  const web = await ChildConsole.spawn(database, { leaseMs: LEASE_MS, workflows: LEDGER_WORKFLOWS });
  atEnd(() => web.kill());
  return web;
}

const ended = async ({ pool }: TestDatabase, workflow: string): Promise<number> =>
  (
    await pool.query("select count(*)::int as ended from handrail.run where workflow = $1 and status = 'completed'", [
      workflow,
    ])
  ).rows[0].ended;

const nothingHappenedTwice = async ({ pool }: TestDatabase) =>
  expect({ overlaps: await overlaps(pool), repeated: await repeated(pool) }).toEqual({ overlaps: [], repeated: [] });

const evenly = (bodies: readonly number[]) =>
  expect(Math.max(...bodies) / Math.min(...bodies), `bodies of each: ${bodies}`).toBeLessThanOrEqual(2);

const BATCHES = 40;
const RUNS = BATCHES * 20;
/** Far more than all workers' claims together need: a slow one can catch up. */
const BURST = 3_000;

/** Starts batch after batch through either console; an unanswered batch is sent again, to the other one. */
async function startThrough(consoles: readonly ChildConsole[], batch: number): Promise<void> {
  const runs = Array.from({ length: 20 }, (_, n) => ({ input: { n }, idempotencyKey: `${batch}-${n}` }));
  for (let turn = batch; ; turn++) {
    const web = consoles[turn % consoles.length] as ChildConsole;
    const answer = await web.post("/v1/runs/batch", { workflow: threeLines.name, runs }).catch(() => undefined);
    if (answer?.status === 201) return;
  }
}

describe("many machines on one database", () => {
  it("workers and consoles are killed, stopped and added under load: nothing is lost, nothing runs twice, the load is shared", async ({
    onTestFinished: atEnd,
  }) => {
    const database = await aDatabase(atEnd);
    const [stays, stays2, dies, retires] = (await Promise.all(
      [1, 2, 3, 4].map(() => aWorker(database, atEnd, { concurrency: 8 })),
    )) as [ChildWorker, ChildWorker, ChildWorker, ChildWorker];
    const consoles = await Promise.all([aConsole(database, atEnd), aConsole(database, atEnd)]);
    for (let batch = 0; batch < BATCHES; batch++) {
      await startThrough(consoles, batch);
      if (batch === 10) {
        await noteEnd(database.pool, dies.pid);
        await dies.kill();
        void aWorker(database, atEnd, { concurrency: 8 });
      }
      if (batch === 20) await consoles[0].kill();
      if (batch === 25) {
        retires.signal("SIGTERM");
        void aWorker(database, atEnd, { concurrency: 8 });
      }
    }
    await until("The end of all runs", async () => (await ended(database, threeLines.name)) === RUNS, 120_000);
    expect(await retires.untilEnded()).toBe(0);
    await nothingHappenedTwice(database);
    evenly(await share(database.pool, [stays.pid, stays2.pid]));
    await expectInvariants(database.pool);
  });

  it("a burst that one worker could take alone is shared by all", async ({ onTestFinished: atEnd }) => {
    const database = await aDatabase(atEnd);
    const workers = await Promise.all([1, 2, 3, 4].map(() => aWorker(database, atEnd, { concurrency: 400 })));
    // Each has learnt of the others by a heartbeat by then.
    await until("A beat of each after the last one came", async () => {
      const { rows } = await database.pool.query(
        "select from handrail.worker where heartbeat_at <= (select max(started_at) from handrail.worker)",
      );
      return rows.length === 0;
    });
    const burst = Array.from({ length: BURST }, (_, n) => prepareStart(oneBusyLine, { n }));
    await insertManyRuns(poolDb(database.pool), await Promise.all(burst));
    await sendWork(poolDb(database.pool));
    await until("The end of all runs", async () => (await ended(database, oneBusyLine.name)) === BURST, 120_000);
    await nothingHappenedTwice(database);
    evenly(
      await share(
        database.pool,
        workers.map(({ pid }) => pid),
      ),
    );
    await expectInvariants(database.pool);
  });
});
