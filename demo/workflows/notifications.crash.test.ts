import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, type TestContext } from "vitest";
import { DELIVERY_POINTS } from "../../lib/engine/notices/delivery";
import { DELIVERY_WORKFLOW } from "../../lib/engine/notices/notice";
import { poolDb } from "../../lib/store/db";
import { insertDestination } from "../../lib/store/notices/destinations";
import { newPlanId } from "../../lib/store/run-id";
import { createTestDatabase, type TestDatabase } from "../../lib/testing/database/database";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { ChildWorker } from "../../lib/testing/processes/crash";
import { oneIn } from "../../lib/testing/sample";
import { until } from "../../lib/testing/until";
import type { FaultPoint } from "../../lib/worker/fault-points";

/** A real receiver on this machine; returns the ids of the messages that it got. */
type Finally = TestContext["onTestFinished"];

async function aReceiver(atEnd: Finally): Promise<{ origin: string; ids: string[] }> {
  const ids: string[] = [];
  const server = createServer((request, response) => {
    ids.push(String(request.headers["webhook-id"]));
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  atEnd(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ids };
}

async function somethingToTell(database: TestDatabase, url: string): Promise<void> {
  await insertDestination(poolDb(database.pool), newPlanId(), {
    kind: "webhook",
    name: "on call",
    url,
    addresses: null,
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    events: ["approval.waiting"],
    workflows: null,
    perMinute: 10,
    enabled: true,
    createdBy: "mia",
  });
  await database.pool.query(
    "insert into handrail.notice (kind, workflows, step, run_id) values ('approval.waiting', '{w}', 's', gen_random_uuid())",
  );
}

const attempts = async (database: TestDatabase) =>
  (
    await database.pool.query<{ code: number | null; cut: boolean }>(
      "select code, ms is null as cut from handrail.delivery_attempt order by number",
    )
  ).rows;

/** What the receiver got, and what is recorded of it, when a process died at this point. */
const CASES: Record<string, { got: number; history: { code: number | null; cut: boolean }[] }> = {
  "notices:before-commit": { got: 1, history: [{ code: 204, cut: false }] },
  "notices:after-commit": { got: 1, history: [{ code: 204, cut: false }] },
  "delivery:before-send": {
    got: 1,
    history: [
      { code: null, cut: true },
      { code: 204, cut: false },
    ],
  },
  "delivery:after-send": {
    got: 2,
    history: [
      { code: null, cut: true },
      { code: 204, cut: false },
    ],
  },
  "delivery:after-record": { got: 1, history: [{ code: 204, cut: false }] },
};

it("has a case for each point", () => {
  expect(Object.keys(CASES)).toEqual(["notices:before-commit", "notices:after-commit", ...DELIVERY_POINTS]);
});

describe.concurrent("a worker that is killed", () => {
  for (const [point, { got, history }] of oneIn(2, Object.entries(CASES)))
    it(`at ${point} loses no message, and whatever comes twice has the same id`, async ({ onTestFinished }) => {
      const database = await createTestDatabase();
      onTestFinished(() => database.drop());
      const { origin, ids } = await aReceiver(onTestFinished);
      await callWitness(database.pool);
      await somethingToTell(database, `${origin}/hook`);
      const setup = { leaseMs: 20_000, internalReceivers: [origin] };
      const victim = ChildWorker.spawn(database, { ...setup, fault: { point: point as FaultPoint } });
      onTestFinished(() => victim.kill());
      expect(await victim.untilEnded()).toBe("SIGKILL");
      await database.pool.query(
        "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where stopped_at is null",
      );

      const survivor = ChildWorker.spawn(database, setup);
      onTestFinished(() => survivor.kill());
      await until("The end of the run that delivers", async () => {
        const { rows } = await database.pool.query("select status from handrail.run where workflow = $1", [
          DELIVERY_WORKFLOW,
        ]);
        return rows.length === 1 && rows[0].status === "completed";
      });
      expect(ids).toHaveLength(got);
      expect(new Set(ids).size).toBe(1);
      expect(await attempts(database)).toEqual(history);
      expect((await database.pool.query("select id::text, status from handrail.delivery")).rows).toEqual([
        { id: ids[0], status: "delivered" },
      ]);
      await expectInvariants(database.pool);
    });
});
