import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inOneGo } from "../parts";
import { type JsonBoundExceeded, type JsonBounds, parseInParts } from "./parse-in-parts";

const BOUNDS: JsonBounds = { depth: 200, marks: 1_000_000, keys: 1_000_000, textLength: 2_000_000 };

const outcome = (parse: () => unknown) => {
  try {
    return { value: parse() };
  } catch (error) {
    return { refused: (error as Error).name };
  }
};

/** With keys in their order, and "__proto__" as a key. */
const shape = (value: unknown) => JSON.stringify(value);

function expectSame(text: string, part: number): void {
  const expected = outcome(() => JSON.parse(text));
  const came = outcome(() => inOneGo(parseInParts(text, BOUNDS, part)));
  expect({ ...came, text, shape: shape(came.value) }).toEqual({ ...expected, text, shape: shape(expected.value) });
}

/** With any white space between the tokens. */
const written = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t", " \r\n"))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

const marked = fc.string({
  unit: fc.constantFrom(...'[]{},:"\\ 1a-.\n', '"a":', "null", "[1,2]", '{"a":1}'),
  maxLength: 40,
});

describe("parsing JSON in parts", () => {
  it("gives the result of JSON.parse, however short the parts are", () => {
    fc.assert(
      fc.property(written, fc.integer({ min: 0, max: 30 }), (text, part) => expectSame(text, part)),
      { numRuns: 2_000 },
    );
  });

  it("refuses what JSON.parse refuses: texts with an extra, missing or changed character", () => {
    const broken = fc.tuple(written, fc.nat(), fc.nat(2), marked).map(([text, place, cut, put]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + put.slice(0, 2) + text.slice(at + cut);
    });
    fc.assert(
      fc.property(fc.oneof(broken, marked), fc.integer({ min: 0, max: 12 }), (text, part) => expectSame(text, part)),
      { numRuns: 5_000 },
    );
  });

  it.each([
    '{"a":1,"b":2,"a":3}',
    '{"a":[1,2,3],"b":2,"a":[4,5,6],"1":0}',
    '{"__proto__":{"a":[1,2]},"constructor":1}',
    '{"a\\"b":["\\\\"],"\\u0061":["\\\\\\""]}',
    "[12[1,2]]",
    '{"a":1[1,2]}',
    "[[1],[2],]",
    "[,[1]]",
    "[1] [2]",
    "[1]x",
    "x[1]",
    "[[1,2]",
    "[[1,2}]",
    '{"a" 5:[1]}',
    '["a":[1]]',
    "{[1]}",
    "[ ]",
    '[[  ],{  },"",{"":[ ]}]',
    "[\u00a0]",
    '"\\',
    '["\\"',
    "",
    " 1 ",
  ])("treats %s as JSON.parse does", (text) => {
    for (let part = 0; part < 8; part++) expectSame(text, part);
  });

  it("pauses at least every few thousand items, in the widest and in the longest blank", () => {
    for (const text of [`[${"[],".repeat(100_000)}0]`, `[${" ".repeat(1_000_000)}]`]) {
      let pauses = 0;
      const parts = parseInParts(text, BOUNDS);
      while (!parts.next().done) pauses++;
      expect(pauses).toBeGreaterThanOrEqual(15);
    }
  });

  it("stops at each bound, before it parses beyond it", () => {
    const bounds = { depth: 3, marks: 10, keys: 2, textLength: 5 };
    const bound = (text: string) => {
      try {
        return inOneGo(parseInParts(text, bounds));
      } catch (error) {
        return (error as JsonBoundExceeded).bound;
      }
    };
    expect(bound("[[[1]]]")).toEqual([[[1]]]);
    expect(bound("[[[[")).toBe("depth");
    expect(bound("[1,2,3,4,5,6,7,8,9,0]")).toHaveLength(10);
    expect(bound("[1,2,3,4,5,6,7,8,9,0,")).toBe("marks");
    expect(bound('[{"a":1,"b":2},{"b":3}]')).toHaveLength(2);
    expect(bound('{"a":{"b":{"c":')).toBe("keys");
    expect(bound('["12345"]')).toBe("textLength");
    expect(bound('["1234"]')).toEqual(["1234"]);
  });
});
