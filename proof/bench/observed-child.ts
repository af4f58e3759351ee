import { WorkerMetrics } from "../../lib/library/worker-metrics";
import { WorkerPort } from "../../lib/library/worker-port";
import { createLogger } from "../../lib/log";
import { spanIds } from "../../lib/traces/span-ids";
import { openBench, startWorker, untilDone } from "./bench";
import type { Drained, Order } from "./observed";
import { threeCalls, threeSteps } from "./workflows";

/** A worker's process with some signals on. It drains what is queued whenever its parent says so. */
const { databaseUrl, bodies, signals, port, receiver } = JSON.parse(process.argv[2] as string) as Order;
const bench = openBench(databaseUrl);
const metrics = new WorkerMetrics();
const log = createLogger("bench", "warn");
if (signals.includes("metrics"))
  new WorkerPort({ at: { host: "127.0.0.1", port }, metricsToken: null, metrics, log }).open();
const traceRatio = signals.includes("every run traced")
  ? 1
  : signals.includes("one run in a hundred traced")
    ? 0.01
    : null;
if (traceRatio !== null) await registerSdk(traceRatio);
const plain = bodies === "empty" ? threeSteps : threeCalls;
const workflow = signals.includes("captured logs") ? { ...plain, captureLogs: { console: true } } : plain;

process.on("disconnect", () => process.exit(0));
process.on("message", async () => {
  const cpu = process.cpuUsage();
  const since = performance.now();
  const worker = await startWorker(bench, { workflows: [workflow], metrics, traceRatio });
  await untilDone(bench, plain.name);
  const ms = performance.now() - since;
  await worker.stop();
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ ms, cpuMs: (user + system) / 1_000 } satisfies Drained);
});
process.send?.("ready");

/** As an app does: spans of a share of the runs, in batches to a collector. */
async function registerSdk(share: number): Promise<void> {
  const [
    { BatchSpanProcessor, NodeTracerProvider, ParentBasedSampler, TraceIdRatioBasedSampler },
    { OTLPTraceExporter },
  ] = await Promise.all([import("@opentelemetry/sdk-trace-node"), import("@opentelemetry/exporter-trace-otlp-http")]);
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url: `${receiver}/v1/traces` }));
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
  new NodeTracerProvider({ sampler, spanProcessors: [processor], idGenerator: spanIds }).register();
}
