import { z } from "zod";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";
import { runWorker } from "../../lib/worker/main";

/** A worker's process as of `handrail worker`, for Prometheus to scrape. */
const orders = defineWorkflow({ name: "orders", version: 7, input: z.object({}) }, async (ctx) => {
  await ctx.step("charge", ({ attempt }) => (attempt === 1 ? Promise.reject(new Error("try again")) : attempt), {
    retry: { maxAttempts: 2, initialDelayMs: 1 },
  });
  await ctx.sleep("a-moment", 50);
});

await runWorker({ workflows: [orders] });
