import {
  type Context,
  context,
  createTraceState,
  diag,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { isHandrailError } from "../engine/errors";
import type { RunToStart } from "../engine/runs/start";
import { parseTrace, type TraceText, traceIdOf, traceparentOf, traceText } from "../engine/traces/trace-context";
import { VERSION } from "../engine/version";
import type { Firing } from "../store/schedules/fire";
import { SpanAlone } from "./span-alone";
import { type ChosenIds, chosenTraceId, withIds } from "./span-ids";

/*
 * OpenTelemetry's API is imported in this folder alone. Without an SDK in the process, tracing is off: then nothing here
 * makes an object, and callers ask first whether there is a trace before they make one for it.
 */

export type { Context };

let known: Tracer | undefined;
let takesIds = false;

/** The tracer; undefined while tracing is off. A claim reads this, and makes nothing. */
export const tracer = (): Tracer | undefined => known;

/**
 * Whether an SDK is registered: a span of the API alone has no ids. A worker looks when it joins, and each start and event
 * until there is one, since an app may register its SDK late.
 */
export function findTracer(): Tracer | undefined {
  if (known) return known;
  const tracer = trace.getTracer("handrail", VERSION);
  const begun = begin({ tracer, name: "handrail", options: {}, parent: ROOT_CONTEXT }, PROBE).spanContext();
  if (!isSpanContextValid(begun)) return undefined;
  known = tracer;
  takesIds = begun.traceId === PROBE.traceId;
  return known;
}

const PROBE = { traceId: "1".repeat(32), spanId: "1".repeat(16) };

/** Whether the SDK that was found has `spanIds`, so that its sampler judges a run by the id of that run. */
export const takesChosenIds = (): boolean => takesIds;

/*
 * Samplers and processors are the app's code, and an SDK lets their errors through. None of them may fail a start or a step
 * whose effect has happened: all spans begin and end in these two.
 */

/** Where the SDK throws, a span that is not exported stands for its parent. */
export function startSpan(tracer: Tracer, name: string, options: SpanOptions, parent: Context): Span {
  try {
    return tracer.startSpan(name, options, parent);
  } catch (error) {
    diag.error(`handrail: the SDK began no span ${name}`, error);
    const above = options.root ? undefined : trace.getSpanContext(parent);
    return trace.wrapSpanContext(above ?? INVALID_SPAN_CONTEXT);
  }
}

export function endSpan(span: Span, at?: number | Date): void {
  try {
    span.end(at);
  } catch (error) {
    diag.error("handrail: the SDK lost a span at its end", error);
  }
}

export interface LogIds {
  traceId: string;
  spanId: string;
}

/** For log lines: the ids of the span that is active here, or undefined outside of any and while tracing is off. */
export function activeIds(): LogIds | undefined {
  const active = known && trace.getSpanContext(context.active());
  return active && { traceId: active.traceId, spanId: active.spanId };
}

/** For log lines about a run: the id of its trace, or undefined while tracing is off for it. */
export function runTraceId(run: { id: string; trace: TraceText | null }): string | undefined {
  if (run.trace !== null) return traceIdOf(run.trace);
  return known && chosenTraceId(run.id);
}

/** Of the span that is active here. */
export function activeTraceparent(): string | undefined {
  const active = known && trace.getSpanContext(context.active());
  return active && traceparentOf(textOf(active));
}

/** Runs `body` with the span of this context active, so that the app's own spans nest under it. */
export const within = <Result>(of: Context | undefined, body: () => Result): Result =>
  of ? context.with(of, body) : body();

export function begin(
  { tracer, name, options, parent }: { tracer: Tracer; name: string; options: SpanOptions; parent: Context },
  ids?: ChosenIds,
): Span {
  const start = () => startSpan(tracer, name, options, parent);
  return ids ? withIds(ids, start) : start();
}

/** A context in which the span that a text names is the parent. */
export function contextOf(text: TraceText): Context {
  const above = spanContextOf(text);
  return above ? new SpanAlone(trace.wrapSpanContext(above)) : ROOT_CONTEXT;
}

export function spanContextOf(text: TraceText): SpanContext | undefined {
  const parsed = parseTrace(text);
  if (!parsed) return undefined;
  const { traceId, spanId, flags: traceFlags, state } = parsed;
  return { traceId, spanId, traceFlags, isRemote: true, ...(state && { traceState: createTraceState(state) }) };
}

export function textOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceText {
  return traceText({ traceId, spanId, flags: traceFlags, state: traceState?.serialize() ?? "" });
}

/** Null for one that the SDK did not begin. */
function keptOf(span: Span): TraceText | null {
  const of = span.spanContext();
  return isSpanContextValid(of) ? textOf(of) : null;
}

/** What a span says of an error. */
export interface SpanError {
  name: string;
  message?: string;
}

export function fail(span: Span, { name, message }: SpanError): void {
  span.setAttribute("error.type", name);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}

/** Of a refused start or event: its code. The message may quote what was given. */
const refusalOf = (error: unknown): SpanError => ({
  name: isHandrailError(error) ? error.code : error instanceof Error ? error.name : typeof error,
});

/** Where a start or an event comes from. */
export interface Origin {
  /** What code gave by name, which is preferred to the active span. */
  named?: TraceText | null;
  /** What the headers of a request brought, which the active span of the request is preferred to. */
  received?: TraceText | null;
  /** Nobody asked for it: a trace begins, whatever is active where the process happens to be. */
  unasked?: boolean;
}

function parentOf({ named = null, received = null, unasked }: Origin): Context {
  if (unasked) return ROOT_CONTEXT;
  if (named !== null) return contextOf(named);
  const active = context.active();
  if (received === null || trace.getSpanContext(active)) return active;
  return contextOf(received);
}

/**
 * Starts runs of one workflow, each within a span `start` whose context the run keeps. While tracing is off, the run
 * keeps what was given.
 */
export async function tracedStarts<Result>(
  runs: readonly RunToStart[],
  origin: Origin,
  insert: (runs: RunToStart[]) => Promise<Result>,
  idsOf: (result: Result) => readonly { id: string }[],
): Promise<Result> {
  const on = findTracer();
  if (!on) {
    const given = origin.named ?? origin.received ?? null;
    return insert(runs.map((run) => (given === null ? run : { ...run, trace: given })));
  }
  const parent = parentOf(origin);
  const spans = runs.map(({ workflow, version }) =>
    startSpan(
      on,
      `start ${workflow}`,
      {
        kind: SpanKind.PRODUCER,
        attributes: { "handrail.workflow.name": workflow, "handrail.workflow.version": version },
      },
      parent,
    ),
  );
  const [only] = spans;
  const inside = spans.length === 1 && only ? trace.setSpan(parent, only) : parent;
  try {
    const result = await context.with(inside, () =>
      insert(runs.map((run, index) => ({ ...run, trace: keptOf(spans[index] as Span) }))),
    );
    for (const [index, { id }] of idsOf(result).entries()) spans[index]?.setAttribute("handrail.run.id", id);
    return result;
  } catch (error) {
    for (const span of spans) fail(span, refusalOf(error));
    throw error;
  } finally {
    for (const span of spans) endSpan(span);
  }
}

/** The same for the runs of these firings of a schedule. Which id is whose is not known if one of them was fired before. */
export function tracedFirings(
  firings: readonly Firing[],
  origin: Origin,
  write: (firings: Firing[]) => Promise<string[]>,
): Promise<string[]> {
  const runs = firings.flatMap(({ run }) => run ?? []);
  const insert = (traced: RunToStart[]) => {
    const next = traced.values();
    return write(firings.map((firing) => (firing.run ? { ...firing, run: next.next().value as RunToStart } : firing)));
  };
  return tracedStarts(runs, origin, insert, (ids) => (ids.length === runs.length ? ids.map((id) => ({ id })) : []));
}

/** The same for an event that is sent. */
export async function tracedSend<Sent>(
  event: string,
  origin: Origin,
  send: (trace: TraceText | null) => Promise<Sent>,
): Promise<Sent> {
  const on = findTracer();
  if (!on) return send(origin.named ?? origin.received ?? null);
  const parent = parentOf(origin);
  const options = { kind: SpanKind.PRODUCER, attributes: { "handrail.event.name": event } };
  const span = startSpan(on, `send ${event}`, options, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => send(keptOf(span)));
  } catch (error) {
    fail(span, refusalOf(error));
    throw error;
  } finally {
    endSpan(span);
  }
}

/** An exporter that is not reached must not keep a process from its end. */
const FLUSH_MS = 5_000;

/** Hands the spans that have ended to where the SDK exports them, before the process ends. */
export async function flushTraces(): Promise<void> {
  if (!known) return;
  const provider = trace.getTracerProvider() as { getDelegate?(): unknown };
  const sdk = (provider.getDelegate?.() ?? provider) as { forceFlush?(): Promise<void> };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FLUSH_MS);
  });
  const flushed = Promise.resolve().then(() => sdk.forceFlush?.());
  await Promise.race([flushed.catch(() => undefined), late]);
  clearTimeout(timer);
}
