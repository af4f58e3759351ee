import { WorkerMetrics } from "../../lib/library/worker-metrics";
import { WorkerPort } from "../../lib/library/worker-port";
import { createLogger } from "../../lib/log";
import { openBench, startWorker, untilDone } from "./bench";
import type { Drained, Order } from "./observed";
import { threeSteps } from "./workflows";

/** A worker's process with some signals on. It drains what is queued whenever its parent says so. */
const { databaseUrl, signals, port, receiver } = JSON.parse(process.argv[2] as string) as Order;
const bench = openBench(databaseUrl);
const metrics = new WorkerMetrics();
const log = createLogger("bench", "warn");
if (signals.includes("metrics"))
  new WorkerPort({ at: { host: "127.0.0.1", port }, metricsToken: null, metrics, log }).open();
if (signals.includes("traces")) await registerSdk(receiver);

process.on("disconnect", () => process.exit(0));
process.on("message", async () => {
  const cpu = process.cpuUsage();
  const since = performance.now();
  const worker = await startWorker(bench, { workflows: [threeSteps], metrics });
  await untilDone(bench, threeSteps.name);
  const ms = performance.now() - since;
  await worker.stop();
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ ms, cpuMs: (user + system) / 1_000 } satisfies Drained);
});
process.send?.("ready");

/** As an app does: a span of everything, in batches to a collector. By names, since only an app that traces has these packages. */
async function registerSdk(url: string): Promise<void> {
  const [sdk, exporter] = await Promise.all(
    ["@opentelemetry/sdk-trace-node", "@opentelemetry/exporter-trace-otlp-http"].map((name) => import(name)),
  );
  const processor = new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter({ url: `${url}/v1/traces` }));
  new sdk.NodeTracerProvider({ spanProcessors: [processor] }).register();
}
