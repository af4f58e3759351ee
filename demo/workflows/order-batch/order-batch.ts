import { z } from "zod";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";

const PRICE_CENTS = 1_900;

/** Charges each order of a batch, a step each: a batch that fails at one item goes on from there. */
export const orderBatch = defineWorkflow(
  {
    name: "order-batch",
    title: "Order batch",
    input: z.object({
      orderIds: z
        .array(z.string().min(1).max(100))
        .min(1)
        .max(1_000)
        .refine((ids) => new Set(ids).size === ids.length, { error: "The same order stands in the batch twice." }),
    }),
    retry: { maxAttempts: 3, initialDelayMs: 300 },
  },
  async (ctx, { orderIds }) => {
    const chargeIds: string[] = [];
    for (const orderId of orderIds) {
      const payment = await ctx.step(
        `charge:${orderId}`,
        (body) => ctx.services.payments.charge({ orderId, amountCents: PRICE_CENTS }, body),
        {
          timeoutMs: 10_000,
          reference: ({ id }) => id,
        },
      );
      chargeIds.push(payment.id);
      ctx.progress(chargeIds.length, orderIds.length, "orders charged");
    }
    return { charged: chargeIds.length };
  },
);
