import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import type { Run } from "../../lib/api/contract/run";
import { handrail, stepOf, untilAttention, untilRun } from "./api";
import { during, setFault } from "./faults";
import { atTheGateway, chargesOf } from "./ledger";

export interface Order {
  orderId: string;
  amountCents: number;
  email: string;
  run: Run;
}

/** Unique: no spec meets the runs of another. */
export const freshId = (prefix: string) => `${prefix}-${randomUUID().slice(0, 8)}`;

/** It is masked, and so is everything that contains it: not the order's id. */
export const aMailbox = () => `${freshId("mail")}@shop.example`;

/** An order that was started, whatever becomes of it. */
export async function startedOrder(orderId = freshId("E")): Promise<Order> {
  const order = { orderId, amountCents: 4_900, email: aMailbox() };
  return { ...order, run: await handrail.start({ workflow: "order-fulfilment", input: order }) };
}

export async function completedOrder(): Promise<Order> {
  const order = await startedOrder();
  return { ...order, run: await untilRun(order.run.id, "completed") };
}

/** Failed at charge-payment, and would again: the card is refused whatever the gateway's health. */
export async function declinedOrder(): Promise<Order> {
  const order = await startedOrder(freshId("DECLINED"));
  return { ...order, run: await untilRun(order.run.id, "failed") };
}

/** Orders that failed at charge-payment while the gateway was down; it is up again. */
export function ordersFailedInAnOutage(count: number): Promise<Order[]> {
  return during("payments", { mode: "down" }, async () => {
    const orders = await Promise.all(Array.from({ length: count }, () => startedOrder()));
    return Promise.all(orders.map(async (order) => ({ ...order, run: await untilRun(order.run.id, "failed") })));
  });
}

/**
 * The gateway charged and its answers were lost until it was down; it is up again. It could not be asked meanwhile: the
 * step waits for an operator, who can.
 */
export function orderWithUnknownCharge(): Promise<Order> {
  return during("payments", { mode: "lose-answer", only: "charges" }, async () => {
    const order = await startedOrder();
    await expect.poll(() => chargesOf(order.orderId)).toHaveLength(1);
    await setFault("payments", { mode: "down" });
    return { ...order, run: await untilAttention(order.run.id, "outcome_unknown") };
  });
}

export interface Batch {
  /** One order, charged by the step of this name. */
  orderId: string;
  step: string;
  /** By which people find the batch. */
  key: string;
  run: Run;
}

/** Of one order, and quicker to give up than an order by itself: for what happens after a failure, not before. */
async function startedBatch(): Promise<Batch> {
  const orderId = freshId("E");
  const key = freshId("batch");
  const run = await handrail.start({ workflow: "order-batch", input: { orderIds: [orderId] }, idempotencyKey: key });
  return { orderId, step: `charge:${orderId}`, key, run };
}

/** Failed at their charges while the gateway was down; it is up again. */
export function batchesFailedInAnOutage(count: number): Promise<Batch[]> {
  return during("payments", { mode: "down" }, async () => {
    const batches = await Promise.all(Array.from({ length: count }, startedBatch));
    return Promise.all(batches.map(async (batch) => ({ ...batch, run: await untilRun(batch.run.id, "failed") })));
  });
}

export async function batchFailedInAnOutage(): Promise<Batch> {
  const [batch] = await batchesFailedInAnOutage(1);
  return batch as Batch;
}

/** Its order was charged, and every answer was lost; its code cannot query the gateway. */
export function batchWithUnknownCharge(): Promise<Batch> {
  return during("payments", { mode: "lose-answer", only: "charges" }, async () => {
    const batch = await startedBatch();
    return { ...batch, run: await untilAttention(batch.run.id, "outcome_unknown") };
  });
}

/** The mail arrived and its answer was lost. A mail has no key: only a person can find out. */
export function orderWithUnknownMail(): Promise<Order> {
  return during("mail", { mode: "lose-answer", times: 1 }, async () => {
    const order = await startedOrder();
    return { ...order, run: await untilAttention(order.run.id, "outcome_unknown") };
  });
}

/** Being compensated: the mail has to be compensated manually, and everything before it waits. */
export async function orderOwingByHand(): Promise<Order> {
  const order = await completedOrder();
  await handrail.compensate(order.run.id, { reason: "The customer withdrew" });
  return { ...order, run: await untilAttention(order.run.id, "compensation_owed") };
}

/** Being compensated: the card was already refunded at the gateway directly, and so the refund failed. */
export async function orderWithFailedRefund(): Promise<Order> {
  const order = await completedOrder();
  await atTheGateway("refunds", freshId("desk"), { chargeId: stepOf(order.run, "charge-payment").reference });
  await handrail.compensate(order.run.id, { reason: "The customer withdrew" });
  await untilAttention(order.run.id, "compensation_owed");
  await handrail.markCompensated(order.run.id, "send-confirmation", { outcome: "waived", note: "They know" });
  await expect.poll(async () => compensationOf(await handrail.run(order.run.id), "charge-payment")).toBe("failed");
  return { ...order, run: await untilAttention(order.run.id, "compensation_owed") };
}

const compensationOf = (run: Run, step: string) => stepOf(run, step).compensation.status;
