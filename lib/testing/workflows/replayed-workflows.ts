import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";

/**
 * A race whose winner decides the branch, a failure that the code handles, values that JSON lacks, and a masked value.
 */
export const winding = defineWorkflow(
  {
    name: "winding",
    input: z.object({ card: z.string(), at: z.date() }),
    masked: ["card"],
    retry: { maxAttempts: 1 },
  },
  async (ctx, { at }) => {
    const slow = ctx.step("slow", () => delay(300, "slow"));
    const winner = await Promise.race([slow, ctx.step("fast", () => "fast")]);
    await ctx.step(`after:${winner}`, () => new Map([[winner, at]]));
    const lost = await ctx
      .step("refused", () => {
        throw new TypeError("no such card");
      })
      .catch((error) => (error as Error).message);
    await slow;
    return { card: "4242", lost, year: at.getUTCFullYear() };
  },
);
