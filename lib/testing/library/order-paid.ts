import { z } from "zod";
import { defineEvent, defineWorkflow } from "../../library/handrail";

export const orderPaid = defineEvent({ name: "order.paid", payload: z.object({ cents: z.number() }) });

export const orderPlaced = defineWorkflow(
  { name: "order-placed", input: z.object({ orderId: z.string() }), events: [orderPaid] },
  async (ctx, { orderId }) => {
    const number = await ctx.step("reserve-number", () => `R-${orderId}`);
    const { cents } = await ctx.waitForEvent("paid", { event: orderPaid, key: orderId });
    return { number, cents };
  },
);
