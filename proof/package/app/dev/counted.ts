import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { defineWorkflow } from "handrail";
import { z } from "zod";

/** Leaves a line for each time that a body runs. */
async function count(name: string): Promise<void> {
  appendFileSync("counted.txt", `${name}\n`);
  await sleep(200);
}

export const counted = defineWorkflow(
  { name: "counted", input: z.object({ n: z.number(), fails: z.boolean().optional() }), retry: { maxAttempts: 1 } },
  async (ctx, { n, fails }) => {
    for (const step of ["one", "two", "three"]) await ctx.step(step, () => count(`${n} ${step}`), { effect: "once" });
    if (fails)
      await ctx.step("fail", () => {
        throw new Error("out of paper");
      });
  },
);
