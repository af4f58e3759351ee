import { context, trace } from "@opentelemetry/api";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { anEngine } from "../testing/workers/engine";
import * as claimTrace from "./claim-trace";
import { activeIds, runTraceId, tracer } from "./tracing";

const engine = anEngine();

const many = defineWorkflow({ name: "many-steps", input: z.object({ steps: z.number() }) }, async (ctx, { steps }) => {
  for (let step = 0; step < steps; step++) await ctx.step(`step ${step}`, ({ traceparent }) => traceparent ?? null);
  await ctx.transaction("write", async () => null, { client: "pg" });
  await ctx.sleep("pause", 1);
});

/** Calls into OpenTelemetry's API, most of whose functions make an object. */
async function callsInARun(steps: number): Promise<number> {
  const spies = [
    vi.spyOn(trace, "getTracer"),
    vi.spyOn(trace, "setSpan"),
    vi.spyOn(trace, "getSpan"),
    vi.spyOn(trace, "getSpanContext"),
    vi.spyOn(context, "active"),
    vi.spyOn(context, "with"),
    vi.spyOn(claimTrace.TracedSpan.prototype, "end"),
  ];
  const { run } = await engine.runToEnd(many, { steps });
  expect(run.status).toBe("completed");
  const calls = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const spy of spies) spy.mockRestore();
  return calls;
}

it("while no SDK is registered, a worker looks once whether there is one; its claims and steps ask and make nothing", async () => {
  expect(tracer()).toBeUndefined();
  expect(activeIds()).toBeUndefined();
  expect(runTraceId({ id: "01a210e8-a046-71a6-a2c2-8fcfbe975f17", trace: null })).toBeUndefined();
  // Its worker joined.
  expect(await callsInARun(1)).toBe(1);
  expect(await callsInARun(100)).toBe(1);
});

it("a body gets the traceparent of the run's start, which an app without an SDK hands on", async () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const id = await engine.start(many, { steps: 1 });
  await engine.rows("update handrail.run set trace = $2 where id = $1", [id, `${traceparent} vendor=a`]);
  await engine.worker([many]);
  const { steps } = await engine.untilEnded(id);
  expect(steps.find(({ name }) => name === "step 0")?.output).toBe(traceparent);
  // Nothing is made up for the claims.
  expect((await engine.historyOf(id)).run).toMatchObject({ claim_trace: null });
});
