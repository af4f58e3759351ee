import fc from "fast-check";
import { expect, it } from "vitest";
import { type SpanPlace, spansOfRun } from "./spans-of-run";

const TRACE = "t";
/** `parent` of `own`, of another run, or of none. */
const place = (
  spanId: string,
  parentSpanId: string | null,
  of: "own" | "none" | "below another" = "none",
): SpanPlace => ({
  ...{ traceId: TRACE, spanId, parentSpanId },
  ...{ own: of === "own", belowAnother: of === "below another" },
});
const idsOf = (places: SpanPlace[], isAlone: boolean) =>
  spansOfRun(places, isAlone)
    .map(({ spanId }) => spanId)
    .join();

const shared = [
  place("request", null),
  place("sql of the request", "request"),
  place("claim", "request", "own"),
  place("step", "claim"),
  place("fetch", "step"),
  place("fetch of another run", "their step", "below another"),
  place("below that", "fetch of another run"),
  place("lost parent", "not received"),
];

it("of a trace with several runs a run has what names it, all below, and the way there", () => {
  expect(idsOf(shared, false)).toBe("request,claim,step,fetch");
});

it("a run that is alone in its trace has the rest, too, but nothing below a span that names another", () => {
  expect(idsOf(shared, true)).toBe("request,sql of the request,claim,step,fetch,lost parent");
});

it("the way to a child leads through no span of its parent", () => {
  expect(idsOf([place("call", "their step", "below another"), place("claim", "call", "own")], false)).toBe("claim");
});

it("ends whatever senders say of parents, and gives each span once", () => {
  const id = fc.constantFrom("a", "b", "c", "d");
  const any = fc.record({
    ...{ traceId: fc.constant(TRACE), spanId: id, parentSpanId: fc.option(id) },
    ...{ own: fc.boolean(), belowAnother: fc.boolean() },
  });
  fc.assert(
    fc.property(fc.uniqueArray(any, { selector: ({ spanId }) => spanId }), fc.boolean(), (places, isAlone) => {
      const chosen = spansOfRun(places, isAlone);
      expect(new Set(chosen).size).toBe(chosen.length);
      for (const one of places.filter(({ own }) => own)) expect(chosen).toContain(one);
    }),
  );
});
