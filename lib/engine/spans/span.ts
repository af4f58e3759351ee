import { logMessage } from "../runs/log";

/** Spans of one run that are kept, approximately: later ones are refused. Also of one trace, of spans that name no run. */
export const MAX_SPANS_PER_RUN = 2_000;
/** How long a span waits for the run that it belongs to: its start may commit after the span was sent. */
export const HELD_MS = 600_000;
/** Spans that wait for a run, approximately, of all senders together; further ones are refused. */
export const MAX_HELD = 20_000;

/** In characters. */
const MAX_NAME = 200;
const MAX_TEXT = 1_000;
const MAX_KEY = 100;
/** Of attributes, events and the status message together, as JSON. What exceeds it is left out and counted. */
const MAX_DETAIL = 16_384;
const MAX_ITEMS = 20;
const MAX_EVENTS = 10;

export const SPAN_KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"] as const;
export type SpanKind = (typeof SPAN_KINDS)[number];
export const SPAN_STATUSES = ["unset", "ok", "error"] as const;
export type SpanStatus = (typeof SPAN_STATUSES)[number];

/** An attribute's value as JSON. */
export type AttributeValue = string | number | boolean | null | AttributeValue[] | { [key: string]: AttributeValue };
export type Attributes = Record<string, AttributeValue>;

export interface SpanEvent {
  name: string;
  /** Milliseconds since 1970. */
  atMs: number;
  attributes: Attributes;
}

/** What a span says beyond its name, its time and its status. */
export interface SpanDetail {
  attributes: Attributes;
  statusMessage: string | null;
  events: SpanEvent[];
  /** Attributes and events that were left out, because there were too many of them. */
  leftOut: number;
}

export interface Span {
  /** Hexadecimal, lower case: 32, 16 and 16 digits. */
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  /** The run that its attributes name, or those of a span above it in the same request; null: that of its trace. */
  runId: string | null;
  name: string;
  kind: SpanKind;
  service: string;
  status: SpanStatus;
  /** Microseconds since 1970. */
  startedUs: number;
  endedUs: number;
  detail: SpanDetail;
}

/** The attributes that name a span's run: as Handrail's own spans do it, and as an app may. */
export const RUN_ATTRIBUTES = ["handrail.run.id", "handrail.run_id"];

/** A text that Postgres can store. */
export const spanName = (text: string): string => logMessage(text, MAX_NAME);
const valueText = (text: string) => logMessage(text, MAX_TEXT);

/** Cuts what a span says to what is kept of it, in the order in which it was sent: attributes, then events. */
export function boundedDetail(
  attributes: Iterable<readonly [string, AttributeValue]>,
  statusMessage: string,
  events: Iterable<SpanEvent>,
): SpanDetail {
  const kept: [string, AttributeValue][] = [];
  const keptEvents: SpanEvent[] = [];
  let room = MAX_DETAIL;
  let leftOut = 0;
  const fits = (item: unknown) => {
    const length = JSON.stringify(item).length + 1;
    const fitting = length <= room;
    if (fitting) room -= length;
    else leftOut++;
    return fitting;
  };
  const message = statusMessage === "" ? null : valueText(statusMessage);
  fits(message);
  for (const [key, value] of attributes) {
    const entry: [string, AttributeValue] = [logMessage(key, MAX_KEY), boundedValue(value, 3)];
    if (fits(entry)) kept.push(entry);
  }
  for (const { name, atMs, attributes: own } of events) {
    const entries = Object.entries(own).slice(0, MAX_ITEMS);
    const bounded = entries.map(([key, value]) => [logMessage(key, MAX_KEY), boundedValue(value, 2)]);
    const event = { name: spanName(name), atMs, attributes: Object.fromEntries(bounded) };
    if (keptEvents.length >= MAX_EVENTS) leftOut++;
    else if (fits(event)) keptEvents.push(event);
  }
  return { attributes: Object.fromEntries(kept), statusMessage: message, events: keptEvents, leftOut };
}

function boundedValue(value: AttributeValue, depth: number): AttributeValue {
  if (typeof value === "string") return valueText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => boundedValue(item, depth - 1));
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([key, item]) => [logMessage(key, MAX_KEY), boundedValue(item, depth - 1)]));
}

/**
 * Attributes that say how something was called, and not with what: by OpenTelemetry's semantic conventions their values come from
 * the code or the protocol. All others may hold what a person must not see, such as an address or a statement with its values.
 */
const SAFE_TEXTS = new Set([
  ...RUN_ATTRIBUTES,
  "handrail.workflow.name",
  "handrail.step.name",
  "handrail.step.kind",
  "handrail.outcome",
  "handrail.claim.outcome",
  "http.request.method",
  "http.route",
  "http.method",
  "network.protocol.name",
  "network.protocol.version",
  "rpc.system",
  "rpc.service",
  "rpc.method",
  "db.system",
  "db.system.name",
  "db.operation",
  "db.operation.name",
  "messaging.system",
  "messaging.operation.type",
  "error.type",
  "exception.type",
]);
const SAFE_NUMBERS = new Set([
  "handrail.workflow.version",
  "handrail.run.generation",
  "handrail.claim.epoch",
  "handrail.worker.id",
  "handrail.step.attempt",
  "http.response.status_code",
  "http.status_code",
  "http.request.resend_count",
  "rpc.grpc.status_code",
  "db.response.returned_rows",
]);
/** A word of code or protocol, or a route with its parameters unfilled. */
const SAFE_TEXT = /^[\w.:/{}[\]*-]{1,100}$/;

/** Those of a span's attributes that everyone who sees the run may see. */
export function safeAttributes(attributes: Attributes): Attributes {
  const safe = Object.entries(attributes).filter(([key, value]) => {
    if (typeof value === "number") return SAFE_NUMBERS.has(key) && Number.isInteger(value);
    return typeof value === "string" && SAFE_TEXTS.has(key) && SAFE_TEXT.test(value);
  });
  return Object.fromEntries(safe);
}
