import { describe, expect, it } from "vitest";
import { givenRows, givenValues, literalOf } from "./given-rows";

const literal = (values: (string | number | boolean | null)[]) =>
  givenValues<string | number | boolean | null>([["value", "text", (value) => value]], values)[0];

describe("given rows", () => {
  it("are a table of arrays, numbered from a given parameter on", () => {
    expect(
      givenRows<{ id: string }>(
        [
          ["id", "uuid", ({ id }) => id],
          ["n", "int", () => 1],
        ],
        5,
      ),
    ).toBe("unnest($5::uuid[], $6::int[]) as given (id, n)");
  });

  it("hold numbers, booleans and nulls unquoted", () => {
    expect(literal([1, -2.5, null, 1e21])).toBe("{1,-2.5,NULL,1e+21}");
    expect(literal([true, false])).toBe("{true,false}");
  });

  it("quote every text, so that none is read as a null, a number or a brace", () => {
    expect(literal(["null", "", "{1,2}", "a b"])).toBe('{"null","","{1,2}","a b"}');
  });

  it("escape what would end a text", () => {
    expect(literal(['"', "\\", '\\"'])).toBe('{"\\"","\\\\","\\\\\\""}');
  });

  it("leave a column empty if no row has a value", () => {
    expect(literal([null, null])).toBe("{}");
    expect(literal([])).toBe("{}");
  });

  it("are not what a single array is: that keeps its nulls", () => {
    expect(literalOf([null, null])).toBe("{NULL,NULL}");
    expect(literalOf(["a,b", null, 'c"\\', 1, true])).toBe('{"a,b",NULL,"c\\"\\\\",1,true}');
    expect(literalOf([])).toBe("{}");
  });
});
