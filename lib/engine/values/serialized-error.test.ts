import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deserializeError, serializeError } from "./serialized-error";

const throwing = (): never => {
  throw new Error("do not look");
};

describe("an error", () => {
  it("is restored with its name, message, code, stack and cause", () => {
    const cause = Object.assign(new TypeError("limit"), { code: 42 });
    const error = Object.assign(new RangeError("declined", { cause }), { code: "E_DECLINED" });
    const back = deserializeError(JSON.parse(JSON.stringify(serializeError(error)))) as typeof error;
    expect(back).toBeInstanceOf(Error);
    expect(back).toMatchObject({ name: "RangeError", message: "declined", code: "E_DECLINED", stack: error.stack });
    expect(back.cause).toMatchObject({ name: "TypeError", message: "limit", code: "42" });
    expect(serializeError(back)).toEqual(serializeError(error));
  });

  it("is bounded, whatever its size", () => {
    const huge = "x".repeat(2_000_000);
    const error = Object.assign(new Error(huge, { cause: new Error(huge) }), {
      name: huge,
      code: huge,
      stack: `${huge}\n`.repeat(3),
    });
    const text = JSON.stringify(serializeError(error));
    expect(text.length).toBeLessThan(150_000);
    expect(serializeError(error).message).toMatch(/2000000 characters\)$/);
  });

  it("holds what PostgreSQL can store, also where it was cut within a pair", () => {
    const emoji = "\u{1F600}".repeat(5_000);
    const error = Object.assign(new Error(`a\0b \ud800 x${emoji}`, { cause: new Error("c\0d") }), { code: "E\0" });
    const text = JSON.stringify(serializeError(error));
    expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/);
    expect(serializeError(error)).toMatchObject({ code: "E\ufffd", cause: { message: "c\ufffdd" } });
    expect(serializeError(error).message).toMatch(/^a\ufffdb \ufffd x/);
  });

  it("of several has the first as its cause, and their messages where it has none", () => {
    const refused = new AggregateError([new Error("connect ECONNREFUSED ::1:5432"), new Error("and 127.0.0.1:5432")]);
    expect(serializeError(refused)).toMatchObject({
      message: "connect ECONNREFUSED ::1:5432; and 127.0.0.1:5432",
      cause: { message: "connect ECONNREFUSED ::1:5432" },
    });
    expect(serializeError(new AggregateError([1], "All promises were rejected"))).toMatchObject({
      message: "All promises were rejected",
      cause: { name: "NotAnError" },
    });
  });

  it("that is none, and that JSON cannot hold, keeps its message", () => {
    const thrown: Record<string, unknown> = { message: "mhmm", code: "E1" };
    thrown.self = thrown;
    expect(serializeError(thrown).message).toContain('{"message":"mhmm","code":"E1"}');
  });

  it("is cut off at cyclic or endless causes", () => {
    const round = new Error("round");
    round.cause = round;
    let chain = new Error("the first");
    for (let depth = 0; depth < 1_000; depth++) chain = new Error(`number ${depth}`, { cause: chain });
    for (const error of [round, chain]) {
      let depth = 0;
      for (let at = serializeError(error).cause; at; at = at.cause) depth++;
      expect(depth).toBe(5);
    }
  });

  it("may have a cause that is not an Error", () => {
    expect(serializeError(new Error("a", { cause: "b" })).cause).toMatchObject({ name: "NotAnError" });
    expect(serializeError(new Error("a", { cause: null })).cause).toMatchObject({ name: "NotAnError" });
  });
});

describe("any thrown value", () => {
  it.each<[string, () => unknown]>([
    ["undefined", () => undefined],
    ["null", () => null],
    ["a text with half a pair", () => "\ud800\0"],
    ["a bigint", () => 7n],
    ["a symbol", () => Symbol("s")],
    ["a function", () => throwing],
    ["an object with a bigint", () => ({ amount: 7n })],
    ["a cycle", () => Object.assign([] as unknown[], { 0: "self" }).map((_, __, all) => all)],
    ["an object that JSON leaves out", () => ({ toJSON: () => undefined })],
    ["an object whose toJSON throws", () => ({ toJSON: throwing })],
    ["an object without a prototype", () => Object.create(null)],
    ["a message that throws", () => Object.defineProperty(new Error("x"), "message", { get: throwing })],
    ["a message that is no text", () => Object.assign(new Error("x"), { message: { toString: throwing } })],
    ["a name that throws", () => Object.defineProperty(new Error("x"), "name", { get: throwing })],
    ["a stack that throws", () => Object.defineProperty(new Error("x"), "stack", { get: throwing })],
    ["a cause that throws", () => Object.defineProperty(new Error("x"), "cause", { get: throwing })],
    ["a code that throws", () => Object.defineProperty(new Error("x"), "code", { get: throwing })],
    ["a proxy that refuses everything", () => new Proxy({}, { get: throwing, getPrototypeOf: throwing })],
    [
      "a revoked proxy",
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
  ])("can be stored: %s", (_, make) => {
    const serialized = serializeError(make());
    expect(serialized).toMatchObject({ name: expect.any(String), message: expect.any(String) });
    const text = JSON.stringify(serialized);
    expect(text).not.toContain("\0");
    expect(text.isWellFormed()).toBe(true);
    expect(deserializeError(JSON.parse(text))).toBeInstanceOf(Error);
  });

  it("can be stored: random values", () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        const text = JSON.stringify(serializeError(thrown));
        expect(text.isWellFormed()).toBe(true);
        expect(deserializeError(JSON.parse(text))).toBeInstanceOf(Error);
      }),
    );
  });
});
