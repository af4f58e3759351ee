import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";

/** For workers in processes: a run takes the payment of its country from those of one shop. */
export const payments = defineWorkflow(
  { name: "payments", input: z.object({ country: z.string() }) },
  (ctx, { country }) => ctx.waitForEvent("payment", { event: "shop.paid", key: "shop", where: { country } }),
);

export const workflows = [payments];
