import { type DiagLogger, DiagLogLevel, diag } from "@opentelemetry/api";
import { AlwaysOnSampler, NodeTracerProvider, type Sampler, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { createHandrail } from "../library/handrail";
import { anEngine } from "../testing/workers/engine";
import { findTracer } from "./tracing";

/* An SDK whose sampler and processor are the app's own code, and wrong. Nothing of a run may depend on them. */

let breaks = { begin: (_name: string) => false, end: false };
const always = new AlwaysOnSampler();
const sampler: Sampler = {
  shouldSample: (_context, _traceId, name) => {
    if (breaks.begin(name)) throw new Error("the sampler is wrong");
    return always.shouldSample();
  },
  toString: () => "wrong",
};
const processor: SpanProcessor = {
  onStart: () => undefined,
  onEnd: () => {
    if (breaks.end) throw new Error("the processor is wrong");
  },
  forceFlush: () => {
    throw new Error("the processor is wrong");
  },
  shutdown: async () => undefined,
};
const said: string[] = [];
const engine = anEngine();
beforeAll(() => {
  new NodeTracerProvider({ sampler, spanProcessors: [processor] }).register();
  const logger = { error: (message: string) => said.push(message) } as unknown as DiagLogger;
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
  expect(findTracer()).toBeDefined();
});
beforeEach(() => {
  breaks = { begin: () => false, end: false };
  said.splice(0);
});

let charges = 0;
const charged = defineWorkflow({ name: "charged", input: z.object({}) }, async (ctx) => {
  const id = await ctx.step("charge", () => ++charges, { effect: "once" });
  await ctx.sleep("pause", 1);
  await ctx.transaction("note", async () => undefined);
  return id;
});

it.each([
  ["each span at its end", { begin: () => false, end: true }],
  ["each span at its begin", { begin: () => true, end: false }],
  ["starts alone", { begin: (name: string) => name.startsWith("start"), end: false }],
  ["claims alone", { begin: (name: string) => name.startsWith("claim"), end: false }],
  ["steps and attempts alone", { begin: (name: string) => /^(step|attempt|transaction)/.test(name), end: true }],
])(
  "an SDK that throws for %s costs spans: the start is acknowledged, and the run completes with one charge",
  async (_, broken) => {
    breaks = broken;
    charges = 0;
    const handrail = createHandrail({ workflows: [charged], databaseUrl: engine.database.url });
    const { id } = await handrail.start(charged, {});
    const worker = await engine.worker([charged]);
    const history = await engine.untilEnded(id);
    expect([history.run.status, charges]).toEqual(["completed", 1]);
    const [row] = await engine.rows<{ trace: string | null }>("select trace from handrail.run where id = $1", [id]);
    expect(row?.trace ?? "").not.toMatch(/^00-0{32}/);
    expect(said.length).toBeGreaterThan(0);
    await worker.stop();
    await handrail.close();
  },
);

/** As an app makes it of a service's answer: what it is assigned need not be texts. */
const odd = (given: object) => Object.assign(new Error("failed"), given);
const retry = { maxAttempts: 2, initialDelayMs: 1 };
const oddlyFailing = defineWorkflow({ name: "oddly-failing", input: z.string() }, (ctx, which) =>
  ctx.step(
    "charge",
    ({ attempt }) => {
      if (attempt > 1) return attempt;
      throw odd(which === "message" ? { message: null } : { name: Symbol("odd") });
    },
    { retry },
  ),
);

it.each(["message", "name"])(
  "an error whose %s is no text fails its attempt, and the next one completes",
  async (which) => {
    const { run, steps, attempts } = await engine.runToEnd(oddlyFailing, which);
    expect(run).toMatchObject({ status: "completed", output: 2 });
    expect(steps).toMatchObject([{ status: "completed", attempt: 2 }]);
    expect(attempts).toMatchObject([{ number: 1, status: "failed" }]);
  },
);

let undone = 0;
const oddBetween = defineWorkflow({ name: "odd-between", input: z.unknown(), onFailure: "compensate" }, async (ctx) => {
  await ctx.step("reserve", () => 1, { compensate: () => void undone++ });
  throw odd({ message: { code: 7 } });
});

it("such an error between steps fails the run, which is compensated", async () => {
  const { run } = await engine.runToEnd(oddBetween);
  expect([run.status, undone]).toEqual(["compensated", 1]);
});
