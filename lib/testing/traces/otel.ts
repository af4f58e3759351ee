import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { spanIds } from "../../traces/span-ids";

/** As an app's own otel.mjs, for `node --import`: exports to OTEL_EXPORTER_OTLP_ENDPOINT. */
const provider = new NodeTracerProvider({
  ...(process.env.HANDRAIL_TEST_SPAN_IDS !== "random" && { idGenerator: spanIds }),
  spanProcessors: [
    new BatchSpanProcessor(new OTLPTraceExporter(), {
      scheduledDelayMillis: Number(process.env.HANDRAIL_TEST_EXPORT_MS ?? 20),
    }),
  ],
});
provider.register();
