import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { atMost, type Figure } from "./figure";

const SPANS = 40_000;
/** Of a worker: as many as its batches hold. */
const AT_A_TIME = 1_000;

/**
 * What the SDK itself takes for the two spans of a step, made by hand with their attributes and exported: below it no
 * engine comes that traces every step.
 * @param stepMs of the worker's processor time
 */
export async function spanCost(stepMs: number, receiver: string): Promise<Figure> {
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${receiver}/v1/traces` }), {
    maxQueueSize: SPANS,
  });
  const provider = new NodeTracerProvider({ spanProcessors: [processor] });
  await makeSpans(provider);
  const ms = await makeSpans(provider);
  await provider.shutdown();
  return {
    measure: "two spans by the SDK alone, made and exported, of the worker's processor time a step",
    measured: `${(2_000 * ms).toFixed(1)} µs of ${(stepMs * 1_000).toFixed(1)}`,
    value: (2 * ms) / stepMs,
    target: atMost(0.03),
  };
}

/** Milliseconds of processor time a span. */
async function makeSpans(provider: NodeTracerProvider): Promise<number> {
  const tracer = provider.getTracer("bench");
  const root = trace.setSpan(ROOT_CONTEXT, tracer.startSpan("start three-steps"));
  const before = process.cpuUsage();
  for (let n = 1; n <= SPANS; n++) {
    const attributes = {
      "handrail.workflow.name": "three-steps",
      "handrail.workflow.version": 1,
      "handrail.run.id": "01a210e8-a046-71a6-a2c2-8fcfbe975f17",
      "handrail.run.generation": 1,
      "handrail.claim.epoch": 1,
      "handrail.step.name": "one",
      "handrail.step.kind": "step",
      "handrail.step.attempt": 1,
    };
    const span = tracer.startSpan("step one", { attributes }, root);
    span.setAttribute("handrail.outcome", "completed");
    span.end();
    if (n % AT_A_TIME === 0) await provider.forceFlush();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / SPANS;
}
