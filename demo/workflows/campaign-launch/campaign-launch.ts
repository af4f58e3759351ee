import { z } from "zod";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";
import { batchFulfilment, orderBatchInput } from "../batch-fulfilment/batch-fulfilment";
import { userSync } from "../user-sync/user-sync";

/** Brings the directory up to date, then fulfils the orders of each region: a tree of runs, three levels high. */
export const campaignLaunch = defineWorkflow(
  {
    name: "campaign-launch",
    title: "Campaign launch",
    input: z.object({
      campaignId: z.string().min(1).max(100),
      batches: z
        .array(orderBatchInput)
        .min(1)
        .max(50)
        .refine((batches) => new Set(batches.map(({ batchId }) => batchId)).size === batches.length, {
          error: "The same batch stands in the campaign twice.",
        }),
    }),
    tags: ({ campaignId }) => ({ campaignId }),
    runTitle: ({ campaignId }) => `Campaign ${campaignId}`,
  },
  async (ctx, { campaignId, batches }) => {
    await ctx.child("sync-users", userSync, {});
    const done = await Promise.all(
      batches.map((batch) =>
        ctx.child(`batch:${batch.batchId}`, batchFulfilment, batch, {
          tags: { batchId: batch.batchId, campaignId },
          onFailure: "wait",
        }),
      ),
    );
    return { fulfilled: done.reduce((sum, { fulfilled }) => sum + fulfilled, 0) };
  },
);
