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

export const workflows = [called, sleeper, caller];
