import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";

/** For workers in processes: waits to be called, and counts how often it was. */
export const called = defineWorkflow({ name: "called", input: z.object({}) }, async (ctx) => {
  const heard: unknown[] = [await ctx.waitForEvent("first", { event: "call" })];
  heard.push(await ctx.waitForEvent("second", { event: "call", timeout: "500ms", default: "nothing more" }));
  return heard;
});

/** Sleeps until it is cancelled. */
export const sleeper = defineWorkflow({ name: "sleeper", input: z.object({}) }, (ctx) => ctx.sleep("long", "1h"));

/** Calls one run, and cancels another one. */
export const caller = defineWorkflow(
  { name: "caller", input: z.object({ call: z.string(), cancel: z.string() }) },
  async (ctx, { call, cancel }) => {
    const sent = await ctx.sendEvent("call", "call", { from: "caller" }, { runId: call });
    const ended = await ctx.cancelRun("cancel", cancel, { reason: "It is no longer needed" });
    return { sent: sent.created, ended };
  },
);

/** Publishes a number that each attempt draws anew, and ends with what was published. */
export const announcer = defineWorkflow({ name: "announcer", input: z.object({}) }, async (ctx) => {
  // Between steps on purpose: another claim draws another one.
  const drawn = Math.random();
  await ctx.publish("drawn", drawn);
  const rows = await ctx.transaction(
    "read",
    async (tx) =>
      (
        await tx.query<{ output: string }>("select output from handrail.step where run_id = $1 and name = 'drawn'", [
          ctx.run.id,
        ])
      ).rows,
    { client: "pg" },
  );
  return Number(rows[0]?.output);
});

export const workflows = [called, sleeper, caller, announcer];
