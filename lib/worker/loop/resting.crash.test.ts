import { expect, it } from "vitest";
import { accountCredit } from "../../../demo/workflows/account-credit/account-credit";
import { poolDb } from "../../store/db";
import { createTestDatabase } from "../../testing/database/database";
import { untilResting } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";

const LEASE_MS = 3_000;

it("a worker that rested and is frozen right after its claim is taken over when the lease of a busy one ends", async ({
  onTestFinished: atEnd,
}) => {
  const database = await createTestDatabase();
  atEnd(() => database.drop());
  await callWitness(database.pool);
  const fault = { point: "transaction:before-checkpoint", signal: "SIGSTOP" } as const;
  const child = ChildWorker.spawn(database, { leaseMs: LEASE_MS, fault });
  atEnd(() => child.kill());
  const leaseOf = async () => {
    const { rows } = await database.pool.query<{ lasts: number }>(
      `select (extract(epoch from lease_expires_at - heartbeat_at) * 1000)::float8 as lasts
       from handrail.worker where name = $1`,
      [`child/${child.pid}`],
    );
    return rows[0]?.lasts ?? 0;
  };
  await until("The long lease of an idle worker", async () => (await leaseOf()) > 2 * LEASE_MS);
  const runId = await start(poolDb(database.pool), accountCredit, { accountId: "rested", amountCents: 300 });
  await child.untilStopped();
  expect(await leaseOf()).toBeLessThan(LEASE_MS + 500);
  // Its process lives, so that its lease alone decides.
  const other = await startWorker(database, [accountCredit], { leaseMs: 10_000, connections: 4 });
  atEnd(() => other.stop(0));
  const { run, lostClaims } = await untilResting(database.pool, runId);
  expect(run).toMatchObject({ status: "completed", output: { balanceCents: 300 } });
  expect(lostClaims).toBe(1);
  child.signal("SIGCONT");
  expect(await child.untilEnded()).toBe(75);
  await expectInvariants(database.pool);
});
