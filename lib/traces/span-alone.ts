import { type Context, createContextKey, ROOT_CONTEXT, type Span, trace } from "@opentelemetry/api";

/** The API keeps a context's span under this key: it makes the same one of the same text. */
const SPAN = createContextKey("OpenTelemetry Context Key SPAN");

/**
 * A context with a span and nothing else. Workers make one a claim, also of runs that are not sampled: the API's own, with a
 * map and three functions each, took a twentieth of the processor time of an empty step.
 */
export class SpanAlone implements Context {
  constructor(private readonly span: Span) {}

  getValue(key: symbol): unknown {
    return key === SPAN ? this.span : undefined;
  }

  setValue(key: symbol, value: unknown): Context {
    return key === SPAN ? new SpanAlone(value as Span) : trace.setSpan(ROOT_CONTEXT, this.span).setValue(key, value);
  }

  deleteValue(key: symbol): Context {
    return key === SPAN ? ROOT_CONTEXT : this;
  }
}
