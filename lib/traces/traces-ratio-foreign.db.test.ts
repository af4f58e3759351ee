import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { createHandrail } from "../library/handrail";
import { anEngine } from "../testing/workers/engine";

const exporter = new InMemorySpanExporter();
const engine = anEngine();
beforeAll(() => {
  process.env.OTEL_TRACES_SAMPLER = "traceidratio";
  process.env.OTEL_TRACES_SAMPLER_ARG = "0";
  new NodeTracerProvider({
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  }).register();
  return () => {
    delete process.env.OTEL_TRACES_SAMPLER;
    delete process.env.OTEL_TRACES_SAMPLER_ARG;
  };
});

const plain = defineWorkflow({ name: "plain", input: z.object({}) }, (ctx) => ctx.step("one", () => 1));

it("an SDK without Handrail's ids is asked about every run: it judges them by other ids than Handrail would", async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => engine.start(plain, {})));
  const handrail = createHandrail({ workflows: [plain], databaseUrl: engine.database.url });
  onTestFinished(() => handrail.close());
  await handrail.worker().start();
  for (const id of ids) await engine.untilEnded(id);
  const traced = exporter.getFinishedSpans().filter(({ name }) => name === "start plain");
  expect(traced).toHaveLength(ids.length);
});
