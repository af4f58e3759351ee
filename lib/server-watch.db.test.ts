import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NOTICE_KINDS } from "./engine/notices/notice";
import { readEnv } from "./env";
import { createLogger } from "./log";
import { watchAlerts } from "./server-watch";
import { insertDestination } from "./store/notices/destinations";
import { newPlanId } from "./store/run-id";
import { registerWorker } from "./store/workers/workers";
import { anAlertDatabase } from "./testing/alerts";
import { TEST_AUDIT_KEYS } from "./testing/audit-keys";
import { withPayloadKeys } from "./testing/payload-keys";
import { until } from "./testing/until";

const there = anAlertDatabase();
const useKeys = withPayloadKeys();
/** A receiver that answers after a while: a worker or another console could come in between. */
const got: { type: string; id: string }[] = [];
let answer = 204;
const receiver = createServer((request, response) => {
  let body = "";
  request.on("data", (part: Buffer) => {
    body += part;
  });
  request.on("end", () => {
    got.push({ type: JSON.parse(body).type, id: String(request.headers["webhook-id"]) });
    setTimeout(() => response.writeHead(answer).end(), 300);
  });
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((ready) => receiver.listen(0, "127.0.0.1", ready));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => void receiver.close());

const open = () => ({
  env: { ...readEnv(), internalReceivers: [origin] },
  db: there.db,
  auditKeys: TEST_AUDIT_KEYS,
});

const aDestination = (name = "on call") =>
  insertDestination(there.db, newPlanId(), {
    kind: "webhook",
    name,
    url: `${origin}/hook`,
    addresses: null,
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    events: NOTICE_KINDS,
    workflows: null,
    perMinute: 10,
    enabled: true,
    createdBy: "mia",
  });

const deliveries = () =>
  there.rows<{ status: string; attempts: number }>(
    "select status, attempts from handrail.delivery order by created_at",
  );

it("while no worker lives, two consoles notify somebody of it, once", async ({ onTestFinished }) => {
  await aDestination();
  await there.aRule({ kind: "live_workers", threshold: 1 });
  await there.rows("update handrail.alert_turn set judged_at = '-infinity'");
  for (let console = 0; console < 2; console++) {
    const watch = watchAlerts(open, createLogger("test", "silent"));
    watch.start();
    onTestFinished(() => watch.stop());
  }
  await until("The message", () => got.length > 0);
  await until("Its record", async () => (await deliveries())[0]?.status === "delivered");
  expect(got.map(({ type }) => type)).toEqual(["alert.fired"]);
  expect(await deliveries()).toEqual([{ status: "delivered", attempts: 1 }]);
  // A worker that comes now finds a run that has nothing left to do.
  expect(await there.rows("select status from handrail.run")).toEqual([{ status: "pending" }]);
});

it("a message that fails is due again later, and left to the workers once one lives", async () => {
  got.length = 0;
  answer = 503;
  await aDestination();
  await there.aRule({ kind: "live_workers", threshold: 1 });
  await there.rows("update handrail.alert_turn set judged_at = '-infinity'");
  const first = watchAlerts(open, createLogger("test", "silent"));
  first.start();
  await until(
    "The refusal",
    async () => (await there.rows("select from handrail.delivery where next_attempt_at is not null")).length > 0,
  );
  await first.stop();
  answer = 204;
  await there.rows("update handrail.delivery set next_attempt_at = clock_timestamp()");
  await registerWorker(there.db, { name: "w", workflows: [], concurrency: 1, leaseMs: 60_000 });
  const second = watchAlerts(open, createLogger("test", "silent"));
  second.start();
  await second.stop();
  expect(await deliveries()).toEqual([{ status: "sending", attempts: 1 }]);
  await there.rows("delete from handrail.worker");
  const third = watchAlerts(open, createLogger("test", "silent"));
  third.start();
  await until("The message", async () => (await deliveries())[0]?.status === "delivered");
  await third.stop();
  expect(new Set(got.map(({ id }) => id)).size).toBe(1);
  expect(got).toHaveLength(2);
});

it("messages with a secret that it cannot open wait, and hold up neither the others nor the alert rules", async () => {
  got.length = 0;
  answer = 204;
  // As many as it sends at once.
  useKeys("another");
  for (let n = 0; n < 4; n++) await aDestination(`locked ${n}`);
  useKeys();
  await aDestination();
  await there.aRule({ kind: "live_workers", threshold: 1 });
  await there.rows("update handrail.alert_turn set judged_at = '-infinity'");
  const watch = watchAlerts(open, createLogger("test", "silent"));
  watch.start();
  try {
    await until("The message", async () => (await deliveries())[4]?.status === "delivered");
    await there.rows("update handrail.alert_turn set judged_at = clock_timestamp() - interval '1 hour'");
    await until("The next judgement", async () => {
      const now = "select from handrail.alert_turn where judged_at > clock_timestamp() - interval '30 minutes'";
      return (await there.rows(now)).length > 0;
    });
  } finally {
    await watch.stop();
  }
  expect(got.map(({ type }) => type)).toEqual(["alert.fired"]);
  const waiting =
    "select attempts from handrail.delivery where status = 'sending' and next_attempt_at > clock_timestamp()";
  expect(await there.rows(waiting)).toEqual(Array.from({ length: 4 }, () => ({ attempts: 0 })));
});
