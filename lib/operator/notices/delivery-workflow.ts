import { z } from "zod";
import { DELIVERIES_KEPT_MS } from "../../engine/notices/delivery";
import { DELIVERY_WORKFLOW } from "../../engine/notices/notice";
import { keptFor } from "../../engine/runs/retention";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { type DeliveryDesk, deliver } from "./deliver";

/**
 * The workflow that sends what people are to be told, for every worker beside the app's own. Where a delivery has come to stands in
 * its rows, not in its steps: a step that is repeated goes on where the last attempt was put on record. It never fails: what
 * cannot be delivered is the destination's trouble, and must not open a problem that is to be told, too.
 */
export function deliveryWorkflow(desk: DeliveryDesk): Workflow {
  return defineWorkflow(
    {
      name: DELIVERY_WORKFLOW,
      title: "Delivery",
      input: z.strictObject({ deliveryId: z.uuid() }),
      retention: keptFor(DELIVERIES_KEPT_MS),
      // Beside our own attempts, which are counted in their rows: a database that does not answer is asked again for a day.
      retry: {
        maxAttempts: 1_500,
        initialDelayMs: 1_000,
        factor: 2,
        maxDelayMs: 60_000,
        jitter: 0.2,
        retryIf: () => true,
      },
    },
    async (ctx, { deliveryId }) => {
      // The receiver knows a message by its id, whoever sends it again.
      const end = await ctx.step("deliver", ({ signal }) => deliver(desk, deliveryId, signal), {
        effect: "idempotent",
      });
      return { deliveryId, end };
    },
  );
}
