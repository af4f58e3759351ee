/** The innocent workflows that run beside runs that kill their worker. */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";

/** A body of this many milliseconds, without protection from an unneeded repetition. */
export const innocent = defineWorkflow({ name: "innocent", input: z.object({ ms: z.number() }) }, (ctx, { ms }) =>
  ctx.step("work", async () => {
    await delay(ms);
    return "done";
  }),
);

/** Kills its worker this many milliseconds after its body began, each time. */
export const poison = defineWorkflow({ name: "poison", input: z.object({ ms: z.number() }) }, (ctx, { ms }) =>
  ctx.step("kill", async () => {
    await delay(ms);
    process.kill(process.pid, "SIGKILL");
    await delay(60_000);
  }),
);

export const workflows = [innocent, poison];
