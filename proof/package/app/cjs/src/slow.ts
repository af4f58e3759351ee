import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defineWorkflow } from "handrail";
import { z } from "zod";
import { BODY_MS } from "./times";

/** What nothing protects from a repetition, in flight for a while. */
export const slow = defineWorkflow({ name: "slow", input: z.object({}) }, (ctx) =>
  ctx.step(
    "once",
    async () => {
      await sleep(BODY_MS);
      console.log("slept");
      return path.basename(__dirname);
    },
    { effect: "once" },
  ),
);
