/**
 * What child processes run beside the samples: workflows that harm their own worker when their process is ordered to.
 */
import { z } from "zod";
import { charge } from "../../demo/clients/payments";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";
import { workflows as flows } from "./flows/workflows";

const input = z.object({ orderId: z.string() });
const isHarmful = process.env.HANDRAIL_FAULT_HARM === "on";

/** Longer than a child's lease, and than the time in which others take its runs over. */
const BLOCKED_MS = 5_000;

/** Keeps the event loop for longer than the lease, then goes on as if nothing had happened. */
export const blocking = defineWorkflow({ name: "blocking", input }, async (ctx, { orderId }) => {
  const order = await ctx.step("charge", (body) => {
    const until = performance.now() + (isHarmful ? BLOCKED_MS : 0);
    while (performance.now() < until);
    return charge({ orderId, amountCents: 100 }, body);
  });
  await ctx.step("after", () => order.id);
});

/** Kills its worker each time. */
export const poison = defineWorkflow({ name: "poison", input }, (ctx) =>
  ctx.step("bite", () => {
    if (isHarmful) process.kill(process.pid, "SIGKILL");
    return "harmless";
  }),
);

export const workflows = [...flows, blocking, poison];
export { blobs, schedules } from "./flows/workflows";
