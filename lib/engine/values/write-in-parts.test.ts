import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inOneGo } from "../parts";
import { writeInParts } from "./write-in-parts";

const written = (value: unknown, part?: number) => inOneGo(writeInParts(value, part)).join("");

describe("writing JSON in parts", () => {
  it("gives the text of JSON.stringify, however small the parts are", () => {
    const values = fc.anything({
      values: [
        fc.jsonValue({ maxDepth: 3 }),
        fc.constant(undefined),
        fc.date({ noInvalidDate: true }),
        fc.constant(-0),
      ],
      maxDepth: 6,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 30 }), (value, part) => {
        const text = written([value, { value }], part);
        return text === JSON.stringify([value, { value }]);
      }),
      { numRuns: 3_000 },
    );
  });

  it("pauses in every long list, object and text of many values", () => {
    const pausesOf = (value: unknown) => [...writeInParts(value)].length;
    const fields = Array.from({ length: 20_000 }, (_, n) => [`k${n}`, { n }]);
    expect(pausesOf({ run: { id: 1 } })).toBe(0);
    expect(pausesOf(Array.from({ length: 100 }, () => "x".repeat(10_000)))).toBeGreaterThan(45);
    expect(pausesOf({ list: Array.from({ length: 20_000 }, () => 0) })).toBeGreaterThan(90);
    expect(pausesOf([Object.fromEntries(fields)])).toBeGreaterThan(90);
    expect(pausesOf(Array.from({ length: 20_000 }, (_, n) => ({ n, list: [n] })))).toBeGreaterThan(90);
  });

  it("gives pieces that are long, but not the whole of a long text", () => {
    const pieces = inOneGo(writeInParts(Array.from({ length: 50_000 }, (_, n) => ({ n, text: "text" }))));
    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.min(...pieces.slice(0, -1).map(({ length }) => length))).toBeGreaterThanOrEqual(65_536);
  });
});
