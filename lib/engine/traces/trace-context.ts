import { HandrailError } from "../errors";

/**
 * A place in a trace, as a run keeps it: a W3C `traceparent`, then a space and the `tracestate` if there is one.
 * Parsed and written by this file alone.
 */
export type TraceText = string;

export interface TraceContext {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** 1: sampled. */
  flags: number;
  /** The `tracestate`; empty without one. */
  state: string;
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;
const LENGTH = 55;
/** Vendors must forward this much; a longer one is left out whole, since a part of it may be wrong. */
const MAX_STATE = 512;
const STATE = /^[\x20-\x7e]+$/;

export const traceText = ({ traceId, spanId, flags, state }: TraceContext): TraceText =>
  `00-${traceId}-${spanId}-0${flags & 3}${state ? ` ${state}` : ""}`;

export function parseTrace(text: TraceText): TraceContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text.slice(0, LENGTH)) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16), state: text.slice(LENGTH + 1) };
}

/** The `traceparent` alone. */
export const traceparentOf = (text: TraceText): string => text.slice(0, LENGTH);

/** As the headers of a request. */
export const traceHeaders = (text: TraceText | null) => ({
  traceparent: text && traceparentOf(text),
  tracestate: text?.slice(LENGTH + 1) || null,
});

/** Whether the flag of it is set. */
export const isSampled = (text: TraceText): boolean => (Number.parseInt(text.slice(LENGTH - 2, LENGTH), 16) & 1) === 1;

export const traceIdOf = (text: TraceText): string => text.slice(3, 35);

/** Of a request. Invalid headers are ignored, as the W3C's recommendation says. */
export function receivedTrace(headers: Pick<Headers, "get">): TraceText | null {
  return contextOf(headers.get("traceparent"), headers.get("tracestate"));
}

/** @throws HandrailError `invalid_request`: what code gives by name is not ignored in silence */
export function givenTrace({ traceparent, tracestate }: TraceOptions): TraceText | null {
  if (traceparent === undefined) return null;
  const text = typeof traceparent === "string" ? contextOf(traceparent, tracestate ?? null) : null;
  if (text !== null) return text;
  throw new HandrailError(
    "invalid_request",
    'traceparent is not a W3C trace context. It looks like "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".',
  );
}

/** How code says which trace a start or an event belongs to. */
export interface TraceOptions {
  /** A W3C `traceparent`. Default: that of the active span, if the process has an OpenTelemetry SDK. */
  traceparent?: string;
  /** The W3C `tracestate` that belongs to it, of up to 512 characters. Default: none. */
  tracestate?: string;
}

function contextOf(traceparent: string | null, tracestate: string | null): TraceText | null {
  const given = traceparent?.trim() ?? "";
  const isLater = given.length > LENGTH && !given.startsWith("00");
  if ((given.length !== LENGTH && !isLater) || !TRACEPARENT.test(given)) return null;
  const parsed = parseTrace(given.slice(0, LENGTH)) as TraceContext;
  const state = tracestate?.trim() ?? "";
  return traceText({ ...parsed, state: state.length <= MAX_STATE && STATE.test(state) ? state : "" });
}
