import { describe, expect, it, type TestContext } from "vitest";
import { accountCredit } from "../../../demo/workflows/account-credit/account-credit";
import { poolDb } from "../../store/db";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { historyOf, untilResting, untilRun } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker, type Fault } from "../../testing/processes/crash";
import { start, startWorker } from "../../testing/workers/a-worker";

/*
 * Worker processes die on a machine with other workers. Their leases last for an hour: progress here proves that the
 * death itself was noticed.
 */

const LEASE_MS = 3_600_000;

type Finally = TestContext["onTestFinished"];

async function aDatabase(atEnd: Finally): Promise<TestDatabase> {
  const database = await createTestDatabase();
  atEnd(() => database.drop());
  await callWitness(database.pool);
  return database;
}

const credit = (database: TestDatabase, accountId: string) =>
  start(poolDb(database.pool), accountCredit, { accountId, amountCents: 300 });

function aChild(database: TestDatabase, atEnd: Finally, fault?: Fault): ChildWorker {
  const child = ChildWorker.spawn(database, { leaseMs: LEASE_MS, ...(fault && { fault }) });
  atEnd(() => child.kill());
  return child;
}

const INSIDE: Fault = { point: "transaction:before-checkpoint" };

describe.skipIf(process.platform !== "linux")("the runs of a worker that was killed", () => {
  it("are continued by its replacement", async ({ onTestFinished: atEnd }) => {
    const database = await aDatabase(atEnd);
    const runId = await credit(database, "restarted");
    expect(await aChild(database, atEnd, INSIDE).untilEnded()).toBe("SIGKILL");
    aChild(database, atEnd);
    const { run, lostClaims } = await untilResting(database.pool, runId);
    expect(run).toMatchObject({ status: "completed", output: { balanceCents: 300 }, epoch: 3 });
    expect(lostClaims).toBe(1);
    await expectInvariants(database.pool);
  });

  it("are freed by a neighbour with its next heartbeat", async ({ onTestFinished: atEnd }) => {
    const database = await aDatabase(atEnd);
    const neighbour = await startWorker(database, [], { leaseMs: 10_000, connections: 2 });
    atEnd(() => neighbour.stop(0));
    const runId = await credit(database, "neighbour");
    const victim = aChild(database, atEnd, { ...INSIDE, signal: "SIGSTOP" });
    await victim.untilStopped();
    await victim.kill();
    await untilRun(database.pool, runId, ({ run }) => run.status === "pending" && run.epoch === 2);
    await expectInvariants(database.pool);
  });

  it("are distinguished from those of a stopped worker", async ({ onTestFinished: atEnd }) => {
    const database = await aDatabase(atEnd);
    const kept = await credit(database, "stopped");
    const stopped = aChild(database, atEnd, { ...INSIDE, signal: "SIGSTOP" });
    await stopped.untilStopped();
    const lost = await credit(database, "killed");
    expect(await aChild(database, atEnd, INSIDE).untilEnded()).toBe("SIGKILL");
    const successor = aChild(database, atEnd);
    expect((await untilResting(database.pool, lost)).run).toMatchObject({ status: "completed", epoch: 3 });
    expect((await historyOf(database.pool, kept)).run).toMatchObject({ status: "running", epoch: 1 });
    await successor.kill();
    stopped.signal("SIGCONT");
    expect((await untilResting(database.pool, kept)).run).toMatchObject({ status: "completed", epoch: 1 });
    await expectInvariants(database.pool);
  });
});
