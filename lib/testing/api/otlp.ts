export const OTLP_PATH = "/v1/otlp/v1/traces";

/** Of an id. */
export const randomHex = (digits: number) =>
  [...Array(digits)].map(() => Math.floor(Math.random() * 16).toString(16)).join("");

/** A span as a sender writes it; what is left out is made up. */
export interface SentSpan {
  traceId?: string;
  spanId?: string;
  parentSpanId?: string;
  name?: string;
  runId?: string;
  attributes?: Record<string, string | number>;
  startTimeUnixNano?: string;
}

function wired({ runId, attributes = {}, ...span }: SentSpan) {
  const all = { ...(runId !== undefined && { "handrail.run.id": runId }), ...attributes };
  return {
    ...{ traceId: randomHex(32), spanId: randomHex(16), name: "work", kind: 3 },
    ...{ startTimeUnixNano: `${Date.now()}000000`, endTimeUnixNano: `${Date.now() + 20}000000`, status: { code: 1 } },
    ...span,
    attributes: Object.entries(all).map(([key, value]) => ({
      key,
      value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
    })),
  };
}
/** An ExportTraceServiceRequest in JSON. */
export const requestOf = (spans: SentSpan[], service = "shop") => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: service } }] },
      scopeSpans: [{ scope: { name: "http" }, spans: spans.map(wired) }],
    },
  ],
});
