import { fromBinary, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { HandrailError } from "../../engine/errors";
import type { Parts } from "../../engine/parts";
import {
  type Attributes,
  type AttributeValue,
  boundedDetail,
  RUN_ATTRIBUTES,
  SPAN_KINDS,
  SPAN_STATUSES,
  type Span,
  spanName,
} from "../../engine/spans/span";
import { type AnyValue, type KeyValue, ResourceSchema, SpanSchema, type Span as WireSpan } from "./otlp_pb";

/** Of one request. */
export const MAX_SPANS = 10_000;
/** Resources, scopes and spans together: an empty one takes two bytes. */
const MAX_PARTS = 3 * MAX_SPANS;
/** Of one span, encoded, or of one resource: what would be kept of it is less. */
const MAX_PART_BYTES = 65_536;
const UNKNOWN_SERVICE = "unknown_service";
/** The year 2200, in nanoseconds: Postgres and JavaScript can tell every microsecond before. */
const LAST_NS = 7_258_118_400_000_000_000n;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface Decoded {
  spans: Span[];
  /** Spans that nothing can be done with: malformed, without ids or times, or too large. */
  invalid: number;
}

const tooMany = () =>
  new HandrailError(
    "body_too_large",
    `A request may have ${MAX_SPANS.toLocaleString("en")} spans at most. Lower the exporter's batch size, or send_batch_max_size of a collector.`,
  );

const malformed = (cause: unknown) =>
  new HandrailError("invalid_request", "The body is not an OTLP ExportTraceServiceRequest.", {}, { cause });

/**
 * The spans of a request, in parts: each is decoded alone, so that a large request neither blocks others nor unfolds to many times
 * its size.
 * @throws HandrailError `invalid_request`, `body_too_large`
 */
export function* decodeProtobuf(body: Uint8Array): Parts<Decoded> {
  const count = counter();
  const decoded: Decoded = { spans: [], invalid: 0 };
  try {
    for (const ofResource of partsOf(body, 1, count)) {
      const service = serviceIn([...partsOf(ofResource, 1, count)][0]);
      for (const ofScope of partsOf(ofResource, 2, count))
        for (const span of partsOf(ofScope, 2, count)) {
          add(decoded, service, () =>
            span.length > MAX_PART_BYTES ? null : fromBinary(SpanSchema, span, { readUnknownFields: false }),
          );
          yield;
        }
    }
  } catch (error) {
    throw error instanceof HandrailError ? error : malformed(error);
  }
  return withRunsOfParents(decoded);
}

/** Counts parts, and refuses more than a request may have. */
function counter(): () => void {
  let parts = 0;
  return () => {
    if (++parts > MAX_PARTS) throw tooMany();
  };
}

/** The messages of a repeated field, still encoded. */
function* partsOf(bytes: Uint8Array, field: number, count: () => void): Generator<Uint8Array> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number !== field || wireType !== WireType.LengthDelimited) {
      reader.skip(wireType, number);
      continue;
    }
    count();
    yield reader.bytes();
  }
}

function serviceIn(resource: Uint8Array | undefined): string {
  if (!resource || resource.length > MAX_PART_BYTES) return UNKNOWN_SERVICE;
  return serviceOf(fromBinary(ResourceSchema, resource, { readUnknownFields: false }).attributes);
}

const serviceOf = (attributes: readonly KeyValue[]): string => {
  const value = attributes.find(({ key }) => key === "service.name")?.value?.value;
  return value?.case === "stringValue" && value.value !== "" ? spanName(value.value) : UNKNOWN_SERVICE;
};

/** Like {@link decodeProtobuf}, of a parsed JSON body: ids are hexadecimal there, not base64. */
export function* decodeJson(body: unknown): Parts<Decoded> {
  const count = counter();
  const decoded: Decoded = { spans: [], invalid: 0 };
  const options = { ignoreUnknownFields: true };
  try {
    for (const { resource, scopeSpans } of listIn(body, "resourceSpans", count)) {
      const service = resource ? serviceOf(fromJson(ResourceSchema, resource, options).attributes) : UNKNOWN_SERVICE;
      for (const scope of listIn({ scopeSpans }, "scopeSpans", count))
        for (const { traceId, spanId, parentSpanId, ...span } of listIn(scope, "spans", count)) {
          const ids = { traceId: base64(traceId), spanId: base64(spanId), parentSpanId: base64(parentSpanId) };
          add(decoded, service, () => fromJson(SpanSchema, { ...span, ...ids }, options));
          yield;
        }
    }
  } catch (error) {
    throw error instanceof HandrailError ? error : malformed(error);
  }
  return withRunsOfParents(decoded);
}

type JsonObject = { [key: string]: JsonValue };

function* listIn(owner: unknown, field: string, count: () => void): Generator<JsonObject> {
  if (typeof owner !== "object" || owner === null) throw new TypeError(`${field} is missing.`);
  const list = (owner as Record<string, unknown>)[field] ?? [];
  if (!Array.isArray(list)) throw new TypeError(`${field} is no list.`);
  for (const item of list) {
    if (typeof item !== "object" || item === null) throw new TypeError(`${field} has an item that is no object.`);
    count();
    yield item;
  }
}

const base64 = (hex: unknown) => Buffer.from(typeof hex === "string" ? hex : "", "hex").toString("base64");

/** One that does not decode is left out: the others of its batch need not be lost. */
function add(decoded: Decoded, service: string, decode: () => WireSpan | null): void {
  if (decoded.spans.length + decoded.invalid >= MAX_SPANS) throw tooMany();
  try {
    const wire = decode();
    const span = wire && spanOf(wire, service);
    if (span) decoded.spans.push(span);
    else decoded.invalid++;
  } catch {
    decoded.invalid++;
  }
}

/** Null for a span that OTLP calls invalid. */
function spanOf(wire: WireSpan, service: string): Span | null {
  const { startTimeUnixNano: from, endTimeUnixNano: to, status } = wire;
  const [traceId, spanId, parentSpanId] = [wire.traceId, wire.spanId, wire.parentSpanId].map(hexOf) as [
    string,
    string,
    string,
  ];
  if (!isId(traceId, 32) || !isId(spanId, 16) || from <= 0n || from > LAST_NS || to > LAST_NS) return null;
  const attributes = attributesOf(wire.attributes);
  const runId = RUN_ATTRIBUTES.map((key) => attributes[key]).find((value) => value !== undefined);
  const events = wire.events.map(({ name, timeUnixNano, attributes: own }) => ({
    name,
    atMs: timeUnixNano > LAST_NS ? 0 : Number(timeUnixNano / 1_000n) / 1_000,
    attributes: attributesOf(own),
  }));
  const startedUs = Number(from / 1_000n);
  return {
    traceId,
    spanId,
    parentSpanId: isId(parentSpanId, 16) ? parentSpanId : null,
    runId: typeof runId === "string" && UUID.test(runId) ? runId.toLowerCase() : null,
    name: spanName(wire.name),
    kind: SPAN_KINDS[wire.kind] ?? "unspecified",
    service,
    status: SPAN_STATUSES[status?.code ?? 0] ?? "unset",
    startedUs,
    endedUs: Math.max(startedUs, Number(to / 1_000n)),
    detail: boundedDetail(Object.entries(attributes), status?.message ?? "", events),
  };
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
/** All zeros are no id. */
const isId = (hex: string, digits: number) => hex.length === digits && /[^0]/.test(hex);

const attributesOf = (list: readonly KeyValue[]): Attributes =>
  Object.fromEntries(list.map(({ key, value }) => [key, attributeOf(value)]));

function attributeOf(given: AnyValue | undefined): AttributeValue {
  const value = given?.value;
  switch (value?.case) {
    case "stringValue":
    case "boolValue":
      return value.value;
    case "intValue":
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : String(value.value);
    case "doubleValue":
      return Number.isFinite(value.value) ? value.value : String(value.value);
    case "bytesValue":
      return Buffer.from(value.value).toString("base64");
    case "arrayValue":
      return value.value.values.map(attributeOf);
    case "kvlistValue":
      return attributesOf(value.value.values);
    default:
      return null;
  }
}

/**
 * A span below one that names its run, such as a request within a step, is of that run. Spans come in any order, so parents are looked
 * for once all are there; those of other requests are looked for when the run is read.
 */
function withRunsOfParents({ spans, invalid }: Decoded): Decoded {
  const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
  const without = new Set<Span>();
  for (const span of spans) {
    const way = new Set<Span>();
    let at: Span | undefined = span;
    while (at && at.runId === null && !without.has(at) && !way.has(at)) {
      way.add(at);
      at = at.parentSpanId === null ? undefined : byId.get(`${at.traceId} ${at.parentSpanId}`);
    }
    for (const below of way) {
      below.runId = at?.runId ?? null;
      if (below.runId === null) without.add(below);
    }
  }
  return { spans, invalid };
}
