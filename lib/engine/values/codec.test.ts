import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HandrailError } from "../errors";
import { decodeValue, encodeJson, encodeValue, MAX_DEPTH } from "./codec";

const roundTrip = (value: unknown) => decodeValue(encodeValue(value));

function refusal(act: () => unknown): HandrailError {
  try {
    act();
  } catch (error) {
    if (error instanceof HandrailError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("values come back the same", () => {
  const cases: [string, unknown][] = [
    ["undefined", undefined],
    ["null", null],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["-0", -0],
    ["BigInt", 2n ** 80n],
    ["Date", new Date("2026-03-29T01:30:00.123Z")],
    ["Map with objects as keys", new Map<unknown, unknown>([[{ a: 1 }, new Set([1, "x"])]])],
    ["bytes", new Uint8Array([0, 1, 254, 255])],
    ["URL", new URL("https://example.com/a?b=c#d")],
    ["NUL in text", "a\0b"],
    ["NUL in a key", { "a\0b": 1 }],
    ["lone surrogates", ["\ud800", "x\udfffy"]],
    ["a $type key of the value", { $type: "Date", value: "not ours" }],
    ["__proto__ as data", JSON.parse('{"__proto__":{"polluted":true}}')],
    ["undefined in an object", { a: undefined, b: [undefined] }],
    ["emoji and bidi", "👩‍👩‍👧 \u202eabc"],
  ];
  it.each(cases)("%s", (_, value) => expect(roundTrip(value)).toStrictEqual(value));

  it("an Error with its cause, code and name", () => {
    const error = Object.assign(new TypeError("outer", { cause: new RangeError("inner") }), { code: "E_X", tries: 3n });
    const back = roundTrip(error) as Error & { code: string; tries: bigint };
    expect(back).toBeInstanceOf(Error);
    expect({ name: back.name, message: back.message, code: back.code, tries: back.tries, stack: back.stack }).toEqual({
      name: "TypeError",
      message: "outer",
      code: "E_X",
      tries: 3n,
      stack: error.stack,
    });
    expect((back.cause as Error).name).toBe("RangeError");
  });

  it("any value that fast-check generates", () => {
    const anything = fc.anything({
      withDate: true,
      withBigInt: true,
      withMap: true,
      withSet: true,
      stringUnit: "binary",
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(roundTrip(value)).toEqual(value);
      }),
      { numRuns: 2_000 },
    );
  });

  it("never contains what jsonb refuses", () => {
    fc.assert(
      fc.property(fc.anything({ stringUnit: "binary", withMap: true }), (value) => {
        const text = encodeValue(value);
        expect(text.isWellFormed()).toBe(true);
        expect(text.replaceAll("\\\\", "")).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
      { numRuns: 1_000 },
    );
  });

  it("does not pollute Object.prototype", () => {
    decodeValue('{"$type":"object","value":[["__proto__",{"polluted":true}]]}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("unsupported values are refused with their path", () => {
  const sparse: number[] = [];
  sparse[1_700_000_000] = 1;
  const cyclic: Record<string, unknown> = { list: [] };
  (cyclic.list as unknown[]).push(cyclic);
  let deep: unknown = 1;
  for (let level = 0; level <= MAX_DEPTH; level++) deep = [deep];

  it.each<[string, unknown, RegExp]>([
    ["a function", { a: [() => 1] }, /\.a\[0\] is a function/],
    ["a symbol", { a: Symbol("x") }, /\.a is a symbol/],
    ["an array of holes", sparse, /more holes than items/],
    ["a cycle", cyclic, /\.list\[0\] refers back/],
    ["a promise", { p: Promise.resolve(1) }, /\.p is a promise\. Await it/],
    ["too deep", deep, /deeper than 100 levels/],
    ["a RegExp", /x/, /the value itself is a RegExp/],
  ])("%s", (_, value, message) => {
    const error = refusal(() => encodeValue(value, 'output of step "s"'));
    expect(error.code).toBe("invalid_value");
    expect(error.message).toContain('output of step "s"');
    expect(error.message).toMatch(message);
  });

  it("a value over the cap, counted in bytes", () => {
    expect(encodeValue("ä".repeat(10), "x", { maxBytes: 22 })).toHaveLength(12);
    expect(refusal(() => encodeValue("ä".repeat(11), "x", { maxBytes: 22 })).code).toBe("value_too_large");
  });

  it("JSON from outside with an unknown tag", () => {
    expect(refusal(() => encodeJson({ $type: "Function", value: "x" })).code).toBe("invalid_value");
  });
});
