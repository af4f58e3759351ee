import { describe, expect, it } from "vitest";
import { hiddenText } from "../privacy/hidden-text";
import { masked, maskOf } from "../privacy/mask";
import { encodeValue } from "./codec";
import { foundIn, MAX_PICKED_LENGTH, parseValuePath, pathsIn, pruned } from "./value-path";

const ORDER = {
  customer: { tier: "gold", card: { number: "4242424242424242" } },
  items: [{ sku: "A" }, { sku: "B", secret: "sh-1234" }],
  total: 5,
};

const at = (path: string, json: unknown = ORDER) => {
  const { keys } = parseValuePath(path) ?? { keys: [] };
  return foundIn(pruned(json, keys), keys);
};

describe("a path into a value", () => {
  it.each([
    ["input.customer.tier", "gold"],
    ["input.total", 5],
    ["input.items.1.sku", "B"],
    ["input.customer.card", { number: "4242424242424242" }],
    ["input.items.9.sku", undefined],
    ["input.items.length", undefined],
    ["input.total.of", undefined],
    ["input.toString", undefined],
  ])("%s leads to %o", (path, expected) => expect(at(path)).toEqual(expected));

  it.each([
    "tags.x",
    "input",
    "input.",
    "input..a",
    "input.a,b",
    `input.${"a.".repeat(12)}a`,
    `input.${"a".repeat(200)}`,
  ])("%s is not a path", (text) => expect(parseValuePath(text)).toBeNull());

  it("passes through types that JSON lacks, and stops at withheld values", () => {
    const json = JSON.parse(encodeValue({ by: new Map([["A-17", { at: new Date(0) }]]), $type: "mine" }));
    expect(at("input.by.A-17.at", json)).toEqual({ $type: "Date", value: "1970-01-01T00:00:00.000Z" });
    expect(at("input.by.B", json)).toBeUndefined();
    expect(at("input.$type", json)).toBe("mine");
    expect(at("input.a.b", { $type: "clipped", bytes: 9 })).toEqual({ $type: "clipped", bytes: 9 });
  });

  it("reveals only its target, and nothing too long", () => {
    expect(JSON.stringify(pruned(ORDER, ["items", "1", "sku"]))).toBe('{"items":[{"sku":"B"}]}');
    expect(at("input.text", { text: "x".repeat(MAX_PICKED_LENGTH) })).toMatchObject({ $type: "clipped" });
  });

  it("keeps values masked that are masked by their place, in lists as well", () => {
    const shown = (path: string) => {
      const { keys } = parseValuePath(path) as { keys: string[] };
      const shell = masked(pruned(ORDER, keys), maskOf(["card.number", "items.sku"]), hiddenText([]));
      return foundIn(shell, keys);
    };
    expect(shown("input.customer.card.number")).toEqual({ $type: "masked" });
    expect(shown("input.customer.card")).toEqual({ number: { $type: "masked" } });
    expect(shown("input.items.1.sku")).toEqual({ $type: "masked" });
    expect(shown("input.items.1.secret")).toEqual({ $type: "masked" });
    expect(shown("input.customer.tier")).toBe("gold");
  });

  it("is suggested from a value: single values, in order, no places in lists", () => {
    expect(pathsIn(ORDER, "input", 10)).toEqual(["input.customer.tier", "input.customer.card.number", "input.total"]);
    expect(pathsIn(ORDER, "input", 1)).toEqual(["input.customer.tier"]);
    expect(pathsIn("text", "output", 5)).toEqual([]);
  });
});
