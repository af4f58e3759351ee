import { randomBytes } from "node:crypto";
import { z } from "zod";
import { NonRetryableError } from "../../lib/engine/steps/retry-policy";
import { defineWorkflow } from "../../lib/engine/workflows/workflow";

/** Trivial bodies: what is measured is what the engine adds. */
export const threeSteps = defineWorkflow(
  { name: "three-steps", input: z.object({ n: z.number() }) },
  async (ctx, { n }) => {
    const one = await ctx.step("one", () => n + 1);
    const two = await ctx.step("two", () => one + 1);
    return ctx.step("three", () => two + 1);
  },
);

/** Each body asks a server once, as a step that charges a card does. */
export const threeCalls = defineWorkflow(
  { name: "three-calls", input: z.object({ url: z.string() }) },
  async (ctx, { url }) => {
    for (const name of ["one", "two", "three"])
      await ctx.step(name, async ({ idempotencyKey }) => {
        const response = await fetch(url, { method: "POST", headers: { "idempotency-key": idempotencyKey } });
        return (await response.text()).length;
      });
  },
);

/** Each run fails at once, retries exhausted, with a number that only it has. */
export const failing = defineWorkflow({ name: "failing", input: z.object({ n: z.number() }) }, (ctx, { n }) =>
  ctx.step("charge", () => {
    throw new NonRetryableError(`The gateway answered 402 for card ${n}`);
  }),
);

export const manySteps = defineWorkflow(
  { name: "many-steps", input: z.object({ steps: z.number() }) },
  async (ctx, { steps }) => {
    for (let n = 0; n < steps; n++) await ctx.step(`step-${n}`, () => n);
  },
);

/** Each step returns a value of so many bytes, which does not compress. */
export const sizedSteps = defineWorkflow(
  { name: "sized-steps", input: z.object({ steps: z.number(), bytes: z.number() }) },
  async (ctx, { steps, bytes }) => {
    for (let n = 0; n < steps; n++)
      await ctx.step(`step-${n}`, () =>
        randomBytes(Math.ceil((bytes * 3) / 4))
          .toString("base64")
          .slice(0, bytes),
      );
  },
);

/** Notifies its parent process when step 990 begins and when its replay has reached it again. */
export const longRun = defineWorkflow({ name: "long-run", input: z.object({}) }, async (ctx) => {
  const since = performance.now();
  for (let n = 0; n < 990; n++) await ctx.step(`step-${n}`, () => ({ n, note: "kept" }));
  await ctx.step("the-990th", async ({ attempt }) => {
    process.send?.({ at: Date.now(), attempt, passMs: performance.now() - since });
    if (attempt === 1 && process.env.BENCH_HOLD) await new Promise(() => undefined);
  });
});

export const told = defineWorkflow({ name: "told", input: z.object({}) }, async (ctx) => {
  await ctx.step("first", () => process.send?.({ at: performance.timeOrigin + performance.now(), runId: ctx.run.id }));
});

export const resumed = defineWorkflow({ name: "resumed", input: z.object({}) }, async (ctx) => {
  await ctx.waitForEvent("go", { event: "go" });
  await ctx.step("next", () => process.send?.({ at: performance.timeOrigin + performance.now(), runId: ctx.run.id }));
});

export const credit = defineWorkflow(
  { name: "credit", input: z.object({ account: z.string() }) },
  async (ctx, { account }) => {
    await ctx.transaction(
      "credit",
      async (tx) => {
        await tx.query("update bench_account set balance = balance + 1 where id = $1", [account]);
      },
      { client: "pg" },
    );
  },
);

export const fanOutChild = defineWorkflow({ name: "fan-out-child", input: z.object({ n: z.number() }) }, (ctx, { n }) =>
  ctx.step("square", () => n * n),
);

export const fanOutParent = defineWorkflow(
  { name: "fan-out", input: z.object({ children: z.number() }) },
  async (ctx, { children }) => {
    const squares = await Promise.all(
      Array.from({ length: children }, (_, n) => ctx.child(`item-${n}`, fanOutChild, { n })),
    );
    return squares.length;
  },
);
