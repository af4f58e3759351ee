import { z } from "zod";
import { defineEvent } from "../../engine/events/event";
import { defineWorkflow } from "../../engine/workflows/workflow";

/** For workers in processes: what each of them was handed comes back as its output. */
const input = z.object({});
export const headedEvent = defineEvent({ name: "headed.done", payload: input });

export const headedChild = defineWorkflow({ name: "headed-child", input }, (ctx) =>
  ctx.step("read", ({ headers }) => headers),
);

export const headedListener = defineWorkflow({ name: "headed-listener", input, on: headedEvent }, (ctx) =>
  ctx.step("read", ({ headers }) => headers),
);

export const headedParent = defineWorkflow({ name: "headed-parent", input }, async (ctx) => {
  const own = await ctx.step("read", ({ headers }) => headers);
  const child = await ctx.child("same", headedChild, {});
  const other = await ctx.child("other", headedChild, {}, { headers: { part: "2", user: "ada" } });
  await ctx.sendEvent("send", headedEvent, {});
  return { own, between: ctx.run.headers, child, other };
});

export const workflows = [headedChild, headedListener, headedParent];
