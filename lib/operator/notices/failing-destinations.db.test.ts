import { expect, it } from "vitest";
import { type Sent, SWITCHED_OFF_AFTER_MS } from "../../engine/notices/delivery";
import { NOTICE_KINDS } from "../../engine/notices/notice";
import { insertDelivery } from "../../store/notices/deliveries";
import { insertDestination } from "../../store/notices/destinations";
import { startDelivery } from "../../store/notices/start-delivery";
import { newPlanId } from "../../store/run-id";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { anEngine } from "../../testing/workers/engine";
import { deliver } from "./deliver";

const engine = anEngine();
const TAKEN: Sent = { code: 204, error: null, retryAfterMs: 0, final: false, gone: false };
const REFUSED: Sent = { code: 500, error: "The receiver answered 500.", retryAfterMs: 0, final: false, gone: false };

async function aMessage() {
  await engine.rows("delete from handrail.notice");
  await engine.rows("delete from handrail.destination");
  const destinationId = newPlanId();
  await insertDestination(engine.db, destinationId, {
    kind: "webhook",
    name: "on call",
    url: "https://example.com/hook",
    addresses: null,
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    events: NOTICE_KINDS,
    workflows: null,
    perMinute: 10,
    enabled: true,
    createdBy: "mia",
  });
  return { destinationId, id: await anotherMessage(destinationId) };
}

async function anotherMessage(destinationId: string): Promise<string> {
  const id = newPlanId();
  const about = { workflows: [], step: null, runId: null, problemId: null, planId: null, operationId: null };
  const event = { type: "test" as const, at: new Date().toISOString(), sentence: "This is a test", ...about };
  await engine.db.transaction(async (tx) => {
    const runId = await startDelivery(tx, id, 1);
    await insertDelivery(tx, { id, destinationId, events: [event], count: 1, runId });
  });
  return id;
}

/** One attempt, with this result. */
const attempt = (sent: Sent, id: string) => {
  const desk = {
    db: engine.db,
    auditKeys: TEST_AUDIT_KEYS,
    origin: "https://handrail.example",
    send: async () => sent,
  };
  return deliver(desk, id, AbortSignal.timeout(5_000)).catch((error) => error);
};

const destinationRow = (id: string) =>
  engine.rows(
    "select enabled, disabled_because, failing_since is not null as failing from handrail.destination where id = $1",
    [id],
  );

/** All that failed so far was so much earlier. */
async function later(destinationId: string, ms: number) {
  const values = [destinationId, ms];
  await engine.rows(
    "update handrail.destination set failing_since = failing_since - $2::float8 * interval '1 ms' where id = $1",
    values,
  );
  await engine.rows(
    "update handrail.delivery_attempt set began_at = began_at - $2::float8 * interval '1 ms' from handrail.delivery where delivery.id = delivery_id and destination_id = $1",
    values,
  );
}

it("a refusal of some of a destination's recipients is noted with the attempt, and the message was delivered", async () => {
  const { id, destinationId } = await aMessage();
  await attempt(REFUSED, id);
  const note = "The mail server refused 1 of 2 addresses (450); the others have the message.";
  expect(await attempt({ ...TAKEN, code: 250, note }, id)).toBe("delivered");
  expect(await engine.rows("select status, error from handrail.delivery where id = $1", [id])).toEqual([
    { status: "delivered", error: null },
  ]);
  expect(await destinationRow(destinationId)).toMatchObject([{ enabled: true, failing: false }]);
  expect(
    await engine.rows("select code, error from handrail.delivery_attempt where number = 2 and delivery_id = $1", [id]),
  ).toEqual([{ code: 250, error: note }]);
});

it("410 switches a destination off at once, and a success forgets all failures", async () => {
  const first = await aMessage();
  await attempt(REFUSED, first.id);
  expect(await destinationRow(first.destinationId)).toMatchObject([{ failing: true }]);
  await attempt(TAKEN, first.id);
  expect(await destinationRow(first.destinationId)).toMatchObject([{ failing: false }]);
  const { id, destinationId } = await aMessage();
  const gone: Sent = { ...REFUSED, code: 410, error: "The receiver answered 410.", final: true, gone: true };
  expect(await attempt(gone, id)).toBe("failed");
  expect(await destinationRow(destinationId)).toMatchObject([{ enabled: false }]);
});

it("failures for three days switch their destination off, on record in the audit and with a notice to all others", async () => {
  const { id, destinationId } = await aMessage();
  for (const pauseMs of [0, 86_400_000, SWITCHED_OFF_AFTER_MS - 86_400_000 + 60_000]) {
    await later(destinationId, pauseMs);
    expect(await destinationRow(destinationId)).toMatchObject([{ enabled: true }]);
    await attempt(REFUSED, id);
  }
  expect(await destinationRow(destinationId)).toEqual([
    { enabled: false, disabled_because: "Nothing could be delivered for 3 days.", failing: true },
  ]);
  expect(await engine.rows("select kind from handrail.notice")).toEqual([{ kind: "destination.switched_off" }]);
  expect(await engine.rows("select actor_kind, act from handrail.audit order by seq desc limit 1")).toEqual([
    { actor_kind: "system", act: "switch_off_destination" },
  ]);
  expect(await attempt(TAKEN, id)).toBe("failed");
});

it("a failure days after another one switches nothing off, but exhausted retries do", async () => {
  const first = await aMessage();
  const { destinationId } = first;
  const final: Sent = { ...REFUSED, code: 400, error: "The receiver answered 400.", final: true };
  expect(await attempt(final, first.id)).toBe("failed");
  await later(destinationId, 5 * 86_400_000);
  const id = await anotherMessage(destinationId);
  for (let n = 0; n < 8; n++) {
    await attempt(REFUSED, id);
    expect(await destinationRow(destinationId)).toMatchObject([{ enabled: true, failing: true }]);
  }
  expect(await attempt(REFUSED, id)).toBe("failed");
  expect(await destinationRow(destinationId)).toMatchObject([{ enabled: false }]);
});
