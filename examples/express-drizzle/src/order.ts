import { eq } from "drizzle-orm";
import { defineWorkflow } from "handrail";
import { z } from "zod";
import { orders } from "./schema";

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
      await tx.update(orders).set({ chargeId }).where(eq(orders.id, id));
    });
    return { chargeId };
  },
);
