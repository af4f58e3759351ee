import { z } from "zod";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

/** Creates an order, charges the card once, reserves stock and notifies the customer. */
export const orderFulfilment = defineWorkflow(
  {
    name: "order-fulfilment",
    title: "Order fulfilment",
    input: z
      .object({
        orderId: z.string().min(1).max(100).describe("The shop's own number"),
        amountCents: z.int().positive(),
        email: z.email(),
      })
      .meta({ examples: [{ orderId: "A-1042", amountCents: 4_900, email: "customer@example.com" }] }),
    tags: ({ orderId }) => ({ orderId }),
    masked: ["email"],
    retry: { maxAttempts: 4, initialDelayMs: 500, factor: 2, maxDelayMs: 60_000, jitter: 0.2 },
  },
  async (ctx, { orderId, amountCents, email }) => {
    const { payments, mail } = ctx.services;
    const order = await ctx.transaction(
      "create-order",
      async (tx) => tx.order.create({ data: { id: orderId, amountCents, email } }),
      {
        reference: ({ id }) => id,
        compensate: async ({ id }, { tx }) => tx.order.update({ where: { id }, data: { status: "cancelled" } }),
      },
    );
    const payment = await ctx.step(
      "charge-payment",
      (body) => payments.charge({ orderId: order.id, amountCents }, body),
      {
        timeoutMs: 10_000,
        reference: ({ id }) => id,
        compensate: ({ id }, body) => payments.refund(id, body),
        reconcile: async (body) => {
          const found = await payments.findCharge(body);
          return found ? { happened: true, output: found } : { happened: false };
        },
      },
    );
    await ctx.transaction(
      "reserve-stock",
      async (tx) => {
        await tx.stockReservation.create({ data: { orderId: order.id, quantity: 1 } });
        await tx.order.update({ where: { id: order.id }, data: { status: "paid", chargeId: payment.id } });
      },
      {
        compensate: async (_, { tx }) => {
          await tx.stockReservation.deleteMany({ where: { orderId: order.id } });
        },
      },
    );
    const confirmation = await ctx.step(
      "send-confirmation",
      ({ idempotencyKey }) =>
        mail.send(
          { to: email, subject: `Order ${order.id} is confirmed`, text: `Thank you. Your charge is ${payment.id}.` },
          idempotencyKey,
        ),
      {
        effect: "once",
        retry: { maxAttempts: 4 },
        timeoutMs: 30_000,
        reference: ({ messageId }) => messageId,
        compensate: "manual",
        instructions: `Write to ${email}: order ${order.id} was cancelled, and what they paid comes back.`,
      },
    );
    return { orderId: order.id, chargeId: payment.id, messageId: confirmation.messageId };
  },
);
