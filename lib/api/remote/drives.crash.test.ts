import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildConsole } from "../../testing/processes/crash";
import { oneIn } from "../../testing/sample";
import type { FaultPoint } from "../../worker/fault-points";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
});
afterAll(() => database.drop());

const RUNS = 20;
const POINTS: readonly FaultPoint[] = [
  "claim:after",
  "transaction:before-commit",
  "transaction:after-commit",
  "run:before-end",
  "run:after-end",
];

it.each(oneIn(3, POINTS))(
  "a server that is killed under a drive at %s loses nothing: the next drive takes its runs over",
  async (point) => {
    const doomed = await ChildConsole.spawn(database, { fault: { point, passage: point.startsWith("claim") ? 1 : 5 } });
    for (let n = 0; n < RUNS; n++)
      expect(
        await doomed.post("/v1/runs", {
          workflow: "account-credit",
          input: { accountId: point, amountCents: 1 },
          idempotencyKey: `${point}-${n}`,
        }),
      ).toMatchObject({ status: 201 });
    const answer = await doomed.post("/v1/worker/drives", { maxMs: 20_000 }).catch(() => "killed");
    expect(answer).toBe("killed");
    expect(await doomed.untilEnded()).toBe("SIGKILL");

    const next = await ChildConsole.spawn(database);
    let takenOver = 0;
    const open = async () =>
      (
        await database.pool.query(
          "select id from handrail.run where tags ->> 'accountId' = $1 and status <> 'completed'",
          [point],
        )
      ).rows.length;
    // Where processes cannot be identified, the first calls come before the lease has expired.
    while ((await open()) > 0) {
      const { status, body } = await next.post("/v1/worker/drives", { maxMs: 5_000 });
      expect(status).toBe(200);
      takenOver += (body as { takenOver: number }).takenOver;
    }
    expect(takenOver).toBeGreaterThan(0);
    const { rows } = await database.pool.query(
      "select count(*)::int as entries, count(distinct run_id)::int as runs from demo.account_entry where account_id = $1",
      [point],
    );
    expect(rows).toEqual([{ entries: RUNS, runs: RUNS }]);
    await next.kill();
    await expectInvariants(database.pool);
  },
);
