import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { compiled } from "../processes/compiled";

/** A span as OTLP/HTTP brings it. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  events: { name: string }[];
  links: { traceId: string; spanId: string }[];
  status: { code?: number; message?: string };
}

/** A receiver of OTLP/HTTP in JSON, and the environment of a process whose SDK exports to it. */
export async function aSpanReceiver() {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { resourceSpans = [] } = JSON.parse(Buffer.concat(chunks).toString()) as {
      resourceSpans?: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const [sdk] = compiled(fileURLToPath(new URL("./otel.ts", import.meta.url)));
  const { port } = server.address() as AddressInfo;
  return {
    spans,
    named: (name: string) => spans.filter((span) => span.name === name),
    env: { NODE_OPTIONS: `--import ${sdk}`, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    close: () => server.close(),
  };
}

export const attribute = ({ attributes }: ReceivedSpan, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
};
