import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { mail, payments } from "./providers";

export const orderFulfilment = defineWorkflow(
  {
    name: "order-fulfilment",
    input: z.object({ orderId: z.string(), amountCents: z.int().positive(), email: z.email() }),
    tags: ({ orderId }) => ({ orderId }),
  },
  async (ctx, { orderId, amountCents, email }) => {
    // Your rows and the checkpoint commit together, once.
    const order = await ctx.transaction(
      "create-order",
      (tx) => tx.order.create({ data: { id: orderId, amountCents, email } }),
      { compensate: ({ id }, { tx }) => tx.order.update({ where: { id }, data: { status: "cancelled" } }) },
    );
    // The same key on every attempt, also after a crash.
    const charge = await ctx.step(
      "charge-payment",
      ({ idempotencyKey, signal }) => payments.charge({ orderId: order.id, amountCents }, { idempotencyKey, signal }),
      {
        timeoutMs: 10_000,
        reference: (charge) => charge.id,
        compensate: (charge, { idempotencyKey }) => payments.refund(charge.id, { idempotencyKey }),
      },
    );
    // The provider takes no key: the step never repeats by itself, and an operator resolves a lost outcome.
    await ctx.step("send-confirmation", () => mail.send({ to: email, subject: `Order ${order.id} is confirmed` }), {
      effect: "once",
      compensate: "manual",
      instructions: "Write to the customer.",
    });
    await ctx.sleep("wait-a-day", "24h");
    return { orderId: order.id, chargeId: charge.id };
  },
);
