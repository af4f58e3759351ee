import { defineWorkflow } from "handrail";
import { z } from "zod";

export const payOrder = defineWorkflow(
  { name: "pay-order", input: z.object({ id: z.string(), cents: z.number().int().positive() }) },
  async (ctx, { id, cents }) => {
    const { payments } = ctx.services;
    const chargeId = await ctx.step(
      "charge",
      ({ idempotencyKey, signal }) => payments.charge(id, cents, idempotencyKey, signal),
      { reference: (chargeId) => chargeId },
    );
    await ctx.transaction("mark-paid", async (tx) => {
      await tx.order.update({ where: { id }, data: { chargeId } });
    });
    return { chargeId };
  },
);
