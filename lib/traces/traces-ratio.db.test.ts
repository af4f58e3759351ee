import { context, TraceFlags, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type Sampler,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { isChosen } from "../engine/traces/trace-ratio";
import { defineWorkflow } from "../engine/workflows/workflow";
import { createHandrail } from "../library/handrail";
import { anEngine } from "../testing/workers/engine";
import { chosenTraceId, spanIds } from "./span-ids";

/* An app that samples one run in four as its environment says, and a worker within it. */

const RATIO = 0.25;
const exporter = new InMemorySpanExporter();
const engine = anEngine();
const asked: string[] = [];
beforeAll(() => {
  process.env.OTEL_TRACES_SAMPLER = "traceidratio";
  process.env.OTEL_TRACES_SAMPLER_ARG = String(RATIO);
  const ratio = new TraceIdRatioBasedSampler(RATIO);
  const sampler: Sampler = {
    shouldSample(at, traceId, name) {
      if (name.startsWith("start ")) asked.push(traceId);
      return ratio.shouldSample(at, traceId);
    },
    toString: () => "counted",
  };
  new NodeTracerProvider({
    sampler,
    idGenerator: spanIds,
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  }).register();
});
afterEach(() => {
  delete process.env.OTEL_TRACES_SAMPLER;
  delete process.env.OTEL_TRACES_SAMPLER_ARG;
});

/** What an app's own instrumentation does in a body. */
const quoted = defineWorkflow({ name: "quoted", input: z.object({}) }, async (ctx) => {
  const seen = await ctx.step("ask", () => {
    const of = trace.getSpanContext(context.active());
    trace.getTracer("app").startSpan("GET /quotes").end();
    return { traceId: of?.traceId, sampled: of?.traceFlags === TraceFlags.SAMPLED };
  });
  await ctx.sleep("pause", 1);
  return seen;
});

it("the sampler is asked about the runs that its ratio chooses, and the rest hand on that they are not sampled", async () => {
  const isTraced = (id: string) => isChosen(chosenTraceId(id), RATIO);
  const ids: string[] = [];
  while (ids.filter(isTraced).length < 3 || ids.length < 12) ids.push(await engine.start(quoted, {}));
  const handrail = createHandrail({ workflows: [quoted], databaseUrl: engine.database.url });
  onTestFinished(() => handrail.close());
  await handrail.worker().start();

  for (const id of ids) {
    const { run, steps } = await engine.untilEnded(id);
    expect(run.status).toBe("completed");
    // The step was done in the first claim, and the sleep ended in the second.
    expect(steps[0]?.output).toEqual({ traceId: chosenTraceId(id), sampled: isTraced(id) });
  }
  const chosen = ids.filter(isTraced).map(chosenTraceId);
  expect(new Set(asked)).toEqual(new Set(chosen));
  const spansOf = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name);
  const traces = (name: string) => spansOf(name).map((span) => span.spanContext().traceId);
  expect(traces("start quoted").toSorted()).toEqual(chosen.toSorted());
  expect(traces("GET /quotes").toSorted()).toEqual(chosen.toSorted());
  expect(new Set(traces("claim quoted"))).toEqual(new Set(chosen));
});
