import { createContextKey, INVALID_SPAN_CONTEXT, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { expect, it } from "vitest";
import { SpanAlone } from "./span-alone";

it("is what the API reads a span from, and what it puts further values into", () => {
  const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
  const alone = new SpanAlone(span);
  expect(trace.getSpan(alone)).toBe(span);
  const key = createContextKey("tenant");
  expect(alone.getValue(key)).toBeUndefined();
  const more = alone.setValue(key, "acme");
  expect(more.getValue(key)).toBe("acme");
  expect(trace.getSpan(more)).toBe(span);
  const other = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
  expect(trace.getSpan(trace.setSpan(alone, other))).toBe(other);
  expect(trace.getSpan(alone)).toBe(span);
  expect(trace.deleteSpan(alone)).toBe(ROOT_CONTEXT);
  expect(alone.deleteValue(key)).toBe(alone);
});
