import { trace } from "@opentelemetry/api";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";

/** For workers in processes: every kind of span, and the app's own in their bodies. The test creates the table `traced_row`. */

/** As an instrumentation does: a span of the app within whatever is active. */
const ownSpan = (name: string) => trace.getTracer("app").startSpan(name).end();

const child = defineWorkflow({ name: "traced-child", input: z.object({}) }, async (ctx) => {
  await ctx.step("in the child", () => ownSpan("of the child"));
});

export const traced = defineWorkflow(
  {
    name: "traced",
    input: z.object({ secret: z.string() }),
    masked: ["secret"],
    retry: { maxAttempts: 3, initialDelayMs: 1 },
    onFailure: "stop",
  },
  async (ctx, { secret }) => {
    ownSpan("between steps");
    await ctx.step(`reserve:${secret}`, () => ownSpan("of reserve"));
    await ctx.step("charge", async ({ attempt, traceparent }) => {
      ownSpan(`of charge ${attempt}`);
      // Until the test kills the process.
      if (attempt === 1) await new Promise(() => undefined);
      return traceparent;
    });
    await ctx.transaction(
      "write",
      async (tx) => {
        await tx.query("insert into traced_row values ($1)", [ctx.run.id]);
      },
      { client: "pg" },
    );
    await ctx.child("child", child, {});
    await ctx.waitForEvent("paid", { event: "traced.paid", key: ctx.run.id });
    await ctx.step("ship", () => {
      if (ctx.run.generation === 1) throw new NonRetryableError(`no truck for ${secret}`);
    });
  },
);

export const undone = defineWorkflow({ name: "undone", input: z.object({}), onFailure: "compensate" }, async (ctx) => {
  await ctx.step("book", () => 1, {
    compensate: async (_, { traceparent, attempt }) => {
      ownSpan(`of the compensation ${attempt} ${traceparent}`);
      if (attempt === 1) await new Promise(() => undefined);
    },
  });
  await ctx.step("fails", () => {
    throw new NonRetryableError("no room");
  });
});

export const workflows = [traced, child, undone];
