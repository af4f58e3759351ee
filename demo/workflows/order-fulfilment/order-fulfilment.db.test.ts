import { describe, expect, it } from "vitest";
import { compensate, rerun, settleStep } from "../../../lib/testing/actions";
import { aDesk } from "../../../lib/testing/desk";
import { theOutsideWorld } from "../../../lib/testing/processes/outside-world";
import { anEngine } from "../../../lib/testing/workers/engine";
import { startSandbox } from "../../sandbox/server";
import { orderFulfilment } from "./order-fulfilment";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);
const reason = "the mail server is back";

const order = (orderId: string) => ({ orderId, amountCents: 4_900, email: `${orderId}@example.com`.toLowerCase() });
const mailsOf = (orderId: string) => world.mails(order(orderId).email);
const rowOf = async (orderId: string) =>
  (await engine.rows(`select status, charge_id from demo."order" where id = $1`, [orderId]))[0];
const reservations = (orderId: string) =>
  engine.rows("select from demo.stock_reservation where order_id = $1", [orderId]);

describe("an order", () => {
  it("is created, charged, reserved and confirmed, once each", async () => {
    const { run, steps } = await engine.runToEnd(orderFulfilment, order("A-1"));
    const [charge, ...more] = await world.charges("A-1");
    expect(more).toEqual([]);
    expect(charge).toMatchObject({ amountCents: 4_900, requests: 1, idempotencyKey: `${run.id}:charge-payment:1` });
    expect(run).toMatchObject({ status: "completed", output: { orderId: "A-1", chargeId: charge?.id } });
    expect(steps.map(({ name, reference }) => [name, reference])).toEqual([
      ["create-order", "A-1"],
      ["charge-payment", charge?.id],
      ["reserve-stock", null],
      ["send-confirmation", expect.stringContaining(run.id)],
    ]);
    expect(await rowOf("A-1")).toEqual({ status: "paid", charge_id: charge?.id });
    expect(await reservations("A-1")).toHaveLength(1);
    expect(await mailsOf("A-1")).toMatchObject([{ subject: "Order A-1 is confirmed" }]);
  });

  it("is charged once although the answer to the charge was lost", async () => {
    await world.fault("payments", { mode: "lose-answer", times: 1 });
    const { run, attempts } = await engine.runToEnd(orderFulfilment, order("A-2"));
    expect(run.status).toBe("completed");
    expect(attempts).toMatchObject([{ step: "charge-payment", number: 1, status: "unknown" }]);
    expect(await world.charges("A-2")).toMatchObject([{ requests: 2 }]);
  });

  it("whose card is declined fails at once and has nothing to compensate", async () => {
    const { run, attempts } = await engine.runToEnd(orderFulfilment, order("DECLINED-1"));
    expect(run).toMatchObject({ status: "failed", failed_step: "charge-payment", attention: "failed" });
    expect(attempts).toEqual([]);
    expect(await world.charges("DECLINED-1")).toEqual([]);
    await compensate(aDesk(engine.db), { runId: run.id, reason });
    expect((await engine.untilEnded(run.id)).run.status).toBe("compensated");
    expect(await rowOf("DECLINED-1")).toMatchObject({ status: "cancelled" });
  });
});

it("orders whose mail cannot be sent are not charged again by a rerun, and are refunded by their compensation", async () => {
  await world.fault("mail", { mode: "down" });
  const [goesOn, isUndone] = [
    await engine.start(orderFulfilment, order("B-1")),
    await engine.start(orderFulfilment, order("B-2")),
  ];
  await engine.worker([orderFulfilment]);
  for (const runId of [goesOn, isUndone]) {
    const { run, steps } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "failed", failed_step: "send-confirmation", attention: "failed" });
    expect(steps[3]).toMatchObject({ attempt: 4, failures: 4 });
  }
  await world.fault("mail", { mode: "none" });

  await rerun(aDesk(engine.db), { runId: goesOn, reason });
  const repaired = await engine.untilEnded(goesOn);
  expect(repaired.run).toMatchObject({ status: "completed", generation: 2 });
  expect(await world.charges("B-1")).toMatchObject([{ requests: 1 }]);
  expect(await mailsOf("B-1")).toHaveLength(1);
  expect(await reservations("B-1")).toHaveLength(1);

  await compensate(aDesk(engine.db), { runId: isUndone, reason });
  const undone = await engine.untilEnded(isUndone);
  expect(undone.run.status).toBe("compensated");
  expect(undone.compensations.map(({ step, status }) => `${step} ${status}`)).toEqual([
    "reserve-stock completed",
    "charge-payment completed",
    "create-order completed",
  ]);
  const [charge] = await world.charges("B-2");
  expect(await world.refunds(charge?.id as string)).toHaveLength(1);
  expect(await rowOf("B-2")).toMatchObject({ status: "cancelled" });
  expect(await reservations("B-2")).toEqual([]);
  expect(await mailsOf("B-2")).toEqual([]);
}, 60_000);

it("a confirmation whose answer was lost is not sent again, and a person says what became of it", async () => {
  await world.fault("mail", { mode: "lose-answer", times: 1 });
  const { run, steps } = await engine.runToRest(orderFulfilment, order("C-1"));
  expect(run).toMatchObject({ status: "waiting", waiting_kind: "operator", attention: "outcome_unknown" });
  expect(steps[3]).toMatchObject({ name: "send-confirmation", status: "unknown", attempt: 1 });
  expect(await mailsOf("C-1")).toHaveLength(1);
  await settleStep(aDesk(engine.db), {
    runId: run.id,
    step: "send-confirmation",
    outcome: "happened",
    output: { messageId: "seen in the mailbox" },
    reason: "the customer has it",
  });
  expect((await engine.untilEnded(run.id)).run).toMatchObject({
    status: "completed",
    output: { messageId: "seen in the mailbox" },
  });
  expect(await mailsOf("C-1")).toHaveLength(1);
});
