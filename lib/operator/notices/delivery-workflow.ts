import { z } from "zod";
import { DELIVERIES_KEPT_MS } from "../../engine/notices/delivery";
import { DELIVERY_WORKFLOW } from "../../engine/notices/notice";
import { keptFor } from "../../engine/runs/retention";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { type DeliveryDesk, deliver } from "./deliver";

/**
 * The workflow that sends notifications; every worker runs it beside the app's workflows. The progress of a delivery is
 * in its rows, not in its steps: a repeated step continues after the last recorded attempt. It never fails: an
 * undeliverable message is the destination's problem, and a failed run would open a problem that needs a notification
 * in turn.
 */
export function deliveryWorkflow(desk: DeliveryDesk): Workflow {
  return defineWorkflow(
    {
      name: DELIVERY_WORKFLOW,
      title: "Delivery",
      input: z.strictObject({ deliveryId: z.uuid() }),
      retention: keptFor(DELIVERIES_KEPT_MS),
      // In addition to our own attempts, which are counted in their rows: a database that does not answer is retried
      // for a day.
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
      // The receiver deduplicates by the message id, so that any worker may send it again.
      const end = await ctx.step("deliver", ({ signal }) => deliver(desk, deliveryId, signal), {
        effect: "idempotent",
      });
      return { deliveryId, end };
    },
  );
}
