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
      await tx.query("update orders set charge_id = $2 where id = $1", [id, chargeId]);
    });
    return { chargeId };
  },
);
