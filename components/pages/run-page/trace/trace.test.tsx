import { expect, it } from "vitest";
import type { Span } from "@/lib/api/contract/spans";
import { rowsOf, spanScale, spanWords } from "./span-tree";

const START = Date.parse("2026-11-25T03:00:00Z");
const span = (spanId: string, parentSpanId: string | null, fromMs: number, durationMs: number): Span => ({
  ...{ traceId: "0a", spanId, parentSpanId, name: spanId, kind: "client", service: "shop", status: "unset" },
  ...{ startedAt: new Date(START + fromMs).toISOString(), durationMs },
  ...{ statusMessage: null, attributes: {}, events: [], leftOut: 0 },
});

it("draws each span below its parent, in the order in which they began, and those without one on top", () => {
  const rows = rowsOf([
    span("root", null, 0, 9),
    span("orphan", "gone", 1, 2),
    span("a", "root", 1, 3),
    span("c", "a", 2, 1),
    span("b", "root", 4, 1),
  ]);
  expect(rows.map(({ span: { spanId }, depth }) => `${depth} ${spanId}`)).toEqual([
    "0 root",
    "1 a",
    "2 c",
    "1 b",
    "0 orphan",
  ]);
});

it("draws spans that are each other's parent once", () => {
  expect(rowsOf([span("a", "b", 0, 1), span("b", "a", 0, 1)]).map(({ span }) => span.spanId)).toEqual(["a", "b"]);
});

it("folds where neither a step nor a span of the app was at work, and reaches as far as the spans do", () => {
  const wait = { ...span("wait", null, 0, 3_600_000), attributes: { "handrail.run.id": "x" } };
  const scale = spanScale(
    rowsOf([span("before", null, -50, 50), wait, span("after", "wait", 3_599_000, 1_000)]),
    [],
    null,
    new Set(),
  );
  expect([scale.from - START, scale.to - START]).toEqual([-50, 3_600_000]);
  expect(scale.folds).toHaveLength(1);
});

it("says in words what a bar shows", () => {
  const [row] = rowsOf([{ ...span("GET", null, 120, 0.4), status: "error" }]);
  expect(row && spanWords(row, START)).toBe("GET, shop, error: took 0.4 ms, began 120 ms after the run's start");
});
