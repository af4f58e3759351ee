import { z } from "zod";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";
import { orderFulfilment } from "../order-fulfilment/order-fulfilment";

export const orderBatchInput = z.object({
  batchId: z.string().min(1).max(100),
  orders: z
    .array(z.object({ orderId: z.string().min(1).max(100), amountCents: z.int().positive(), email: z.email() }))
    .min(1)
    .max(1_000)
    .refine((orders) => new Set(orders.map(({ orderId }) => orderId)).size === orders.length, {
      error: "The same order stands in the batch twice.",
    }),
});

/** Fulfils each order of a batch in a separate run: one that fails is repaired by itself, and the batch goes on. */
export const batchFulfilment = defineWorkflow(
  {
    name: "batch-fulfilment",
    title: "Batch fulfilment",
    input: orderBatchInput,
    tags: ({ batchId }) => ({ batchId }),
  },
  async (ctx, { batchId, orders }) => {
    const fulfilled = await Promise.all(
      orders.map((order) =>
        ctx.child(`fulfil:${order.orderId}`, orderFulfilment, order, {
          tags: { orderId: order.orderId, orderBatchId: batchId },
          onFailure: "wait",
        }),
      ),
    );
    return { fulfilled: fulfilled.length };
  },
);
