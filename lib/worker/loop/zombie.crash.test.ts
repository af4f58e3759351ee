import { describe, expect, it, type TestContext } from "vitest";
import { startSandbox } from "../../../demo/sandbox/server";
import { workflows } from "../../../demo/workflows/index";
import { poolDb } from "../../store/db";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { type History, historyOf, untilResting } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker, type Fault } from "../../testing/processes/crash";
import { theOutsideWorld } from "../../testing/processes/outside-world";
import { oneIn } from "../../testing/sample";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";

/*
 * A worker process is stopped, as a paused machine stops it, for longer than its lease; another one takes over and
 * continues. Then the first resumes in the middle of its work, and must change nothing.
 */

const world = theOutsideWorld(startSandbox);
/** Long enough for a process to start on a busy machine without losing it. */
const LEASE_MS = 2_500;

type Finally = TestContext["onTestFinished"];

async function aDatabase(atEnd: Finally): Promise<TestDatabase> {
  const database = await createTestDatabase();
  atEnd(() => database.drop());
  await callWitness(database.pool);
  return database;
}

function startOf(database: TestDatabase, name: string, input: unknown): Promise<string> {
  const workflow = workflows.find((candidate) => candidate.name === name);
  if (!workflow) throw new Error(`There is no workflow ${name}.`);
  return start(poolDb(database.pool), workflow, input);
}

function aChild(database: TestDatabase, atEnd: Finally, fault?: Fault, leaseMs = LEASE_MS): ChildWorker {
  const child = ChildWorker.spawn(database, { leaseMs, env: world.env(), ...(fault && { fault }) });
  atEnd(() => child.kill());
  return child;
}

/** Stopped at the fault, taken over, completed by another worker, then resumed until it has ended by itself. */
async function comesBack(
  database: TestDatabase,
  runId: string,
  fault: Fault,
  atEnd: Finally,
): Promise<[History, History]> {
  const zombie = aChild(database, atEnd, { ...fault, signal: "SIGSTOP" });
  await zombie.untilStopped();
  const successor = await startWorker(database, workflows, { leaseMs: 4_000, connections: 4 });
  atEnd(() => successor.stop(100));
  await until("The end of its lease", async () => {
    const ended = "select from handrail.worker where name = $1 and lease_expires_at < clock_timestamp()";
    return (await database.pool.query(ended, [`child/${zombie.pid}`])).rows.length > 0;
  });
  const before = await untilResting(database.pool, runId);
  zombie.signal("SIGCONT");
  expect(await zombie.untilEnded()).toBe(75);
  await successor.stop();
  return [before, await historyOf(database.pool, runId)];
}

describe.concurrent("a worker that resumes after its lease", () => {
  const faults: Fault[] = [
    { point: "claim:after" },
    { point: "step:before-body" },
    { point: "transaction:before-checkpoint" },
    { point: "transaction:before-commit" },
    { point: "transaction:after-commit" },
    { point: "run:before-end" },
    { point: "flush:before" },
    { point: "flush:after" },
  ];
  for (const [index, fault] of oneIn(3, [...faults.entries()]))
    it(`at ${fault.point} writes nothing, and the account is credited once`, async ({ onTestFinished: atEnd }) => {
      const database = await aDatabase(atEnd);
      const accountId = `zombie-${index}`;
      const runId = await startOf(database, "account-credit", { accountId, amountCents: 300 });
      const [before, after] = await comesBack(database, runId, fault, atEnd);
      expect(before.run).toMatchObject({ status: "completed", output: { balanceCents: 300 } });
      expect(after).toEqual(before);
      const { rows } = await database.pool.query("select amount_cents, run_id from demo.account_entry");
      expect(rows).toEqual([{ amount_cents: 300, run_id: runId }]);
      await expectInvariants(database.pool);
    });

  it("before the body of a mail sends none: a person is asked, and may have recorded by then that it was not sent", async ({
    onTestFinished: atEnd,
  }) => {
    const database = await aDatabase(atEnd);
    const email = "zombie@example.com";
    const runId = await startOf(database, "welcome-reminder", { email, delaySeconds: 0 });
    const [before, after] = await comesBack(database, runId, { point: "step:before-body" }, atEnd);
    expect(before.run).toMatchObject({ status: "waiting", waiting_kind: "operator", attention: "outcome_unknown" });
    expect(after).toEqual(before);
    expect(await world.mails(email)).toEqual([]);
    await expectInvariants(database.pool);
  });

  it("that has charged a card leaves the charge to the next request with its key", async ({
    onTestFinished: atEnd,
  }) => {
    const database = await aDatabase(atEnd);
    const runId = await startOf(database, "order-batch", { orderIds: ["zombie-order-1", "zombie-order-2"] });
    const [before, after] = await comesBack(database, runId, { point: "step:after-body" }, atEnd);
    expect(before.run).toMatchObject({ status: "completed", output: { charged: 2 } });
    expect(after).toEqual(before);
    expect(await world.charges("zombie-order-")).toMatchObject([
      { orderId: "zombie-order-1", requests: 2 },
      { orderId: "zombie-order-2", requests: 1 },
    ]);
    await expectInvariants(database.pool);
  });

  it("without a run, and taken for dead, claims none", async ({ onTestFinished: atEnd }) => {
    const database = await aDatabase(atEnd);
    const idle = aChild(database, atEnd);
    await idle.untilReady();
    idle.signal("SIGSTOP");
    await idle.untilStopped();
    const undertaker = await startWorker(database, [], { leaseMs: 2_000, connections: 2 });
    atEnd(() => undertaker.stop(0));
    await until("The burial", async () => {
      const { rows } = await database.pool.query("select from handrail.worker where stopped_at is not null");
      return rows.length > 0;
    });
    const runId = await startOf(database, "account-credit", { accountId: "idle", amountCents: 1 });
    // The first thing it receives when it resumes is a note about work.
    await database.pool.query("select pg_notify('handrail_work', '')");
    idle.signal("SIGCONT");
    expect(await idle.untilEnded()).toBe(75);
    expect((await historyOf(database.pool, runId)).run).toMatchObject({ status: "pending", worker_id: null });
    const successor = await startWorker(database, workflows, { connections: 4 });
    atEnd(() => successor.stop(0));
    expect((await untilResting(database.pool, runId)).run.status).toBe("completed");
    await expectInvariants(database.pool);
  });
});

it("a worker that is stopped for less than its lease continues as before", async ({ onTestFinished: atEnd }) => {
  const database = await aDatabase(atEnd);
  const runId = await startOf(database, "account-credit", { accountId: "paused", amountCents: 5 });
  const child = aChild(database, atEnd, { point: "transaction:before-checkpoint", signal: "SIGSTOP" }, 30_000);
  await child.untilStopped();
  child.signal("SIGCONT");
  const { run, lostClaims } = await untilResting(database.pool, runId);
  expect(run).toMatchObject({ status: "completed", epoch: 1 });
  expect(lostClaims).toBe(0);
  child.signal("SIGTERM");
  expect(await child.untilEnded()).toBe(0);
  await expectInvariants(database.pool);
});
