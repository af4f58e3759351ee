import { describe, expect, it } from "vitest";
import { givenTrace, parseTrace, receivedTrace, traceparentOf } from "./trace-context";

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const received = (traceparent: string, tracestate?: string) =>
  receivedTrace(new Headers({ traceparent, ...(tracestate !== undefined && { tracestate }) }));

describe("the headers of a request", () => {
  it("are kept as one text, with the tracestate behind the traceparent", () => {
    const text = received(TRACEPARENT, "vendor=a1, other=b2") as string;
    expect(text).toBe(`${TRACEPARENT} vendor=a1, other=b2`);
    expect(traceparentOf(text)).toBe(TRACEPARENT);
    const parsed = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7", flags: 1 };
    expect(parseTrace(text)).toEqual({ ...parsed, state: "vendor=a1, other=b2" });
  });

  it.each([
    "",
    "nonsense",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    `${TRACEPARENT}-more`,
    `${TRACEPARENT.slice(0, -1)}`,
  ])("are ignored when the traceparent is %j", (traceparent) => {
    expect(received(traceparent)).toBeNull();
  });

  it("of a later version keep what this one knows", () => {
    expect(received(`01${TRACEPARENT.slice(2)}-new-fields`)).toBe(TRACEPARENT);
  });

  it.each(["x".repeat(513), "with\ttab"])("leave out the tracestate %j", (tracestate) => {
    expect(received(TRACEPARENT, tracestate)).toBe(TRACEPARENT);
  });
});

it("what code gives by name is refused when it is invalid, and says how it looks", () => {
  expect(givenTrace({})).toBeNull();
  expect(givenTrace({ traceparent: TRACEPARENT, tracestate: "a=b" })).toBe(`${TRACEPARENT} a=b`);
  for (const traceparent of ["nonsense", 7 as never])
    expect(() => givenTrace({ traceparent })).toThrow(/not a W3C trace context. It looks like "00-/);
});
