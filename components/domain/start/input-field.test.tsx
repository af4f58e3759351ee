import { describe, expect, it } from "vitest";
import { z } from "zod";
import { inputChecker } from "./check-input";
import { blank, fieldOf, variantOf } from "./input-field";
import type { InputSchema } from "./input-schema";

const asSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" }) as InputSchema;
const fieldFor = (schema: z.ZodType) => {
  const json = asSchema(schema);
  return fieldOf(json, json);
};

const order = z.object({
  orderId: z.string().min(1),
  amountCents: z.int().positive(),
  currency: z.enum(["EUR", "USD"]).default("EUR"),
  email: z.email().optional(),
  lines: z.array(z.object({ sku: z.string(), count: z.int().min(1) })).min(1),
  ship: z.discriminatedUnion("by", [
    z.object({ by: z.literal("post"), street: z.string() }),
    z.object({ by: z.literal("pickup"), shop: z.string() }),
  ]),
});

describe("a field of an input", () => {
  it.each([
    [z.string(), { kind: "text", input: "text", long: false }],
    [z.email(), { kind: "text", input: "email" }],
    [z.string().max(2_000), { kind: "text", long: true }],
    [z.string().nullable(), { kind: "text", nullable: true }],
    [z.int(), { kind: "number" }],
    [z.boolean(), { kind: "flag" }],
    [z.enum(["a", "b"]), { kind: "choice", options: ["a", "b"] }],
    [z.union([z.literal("a"), z.literal(1)]), { kind: "choice", options: ["a", 1] }],
    [z.array(z.string()), { kind: "list" }],
    [z.object({ a: z.string() }), { kind: "object" }],
    [z.record(z.string(), z.number()), { kind: "json" }],
    [z.object({ "a.b": z.string() }), { kind: "json" }],
    [z.unknown(), { kind: "json" }],
    [z.union([z.string(), z.number()]), { kind: "json" }],
    [z.union([z.email(), z.object({ id: z.string() })]), { kind: "variants", variants: [{ label: "string" }, {}] }],
  ])("is asked for as its schema says (%#)", (schema, expected) => {
    expect(fieldFor(schema)).toMatchObject(expected);
  });

  it("has the words of its schema", () => {
    expect(fieldFor(z.string().meta({ title: "Order", description: "As on the invoice" }))).toMatchObject({
      title: "Order",
      hint: "As on the invoice",
    });
  });

  it("ends with a schema that holds itself", () => {
    const node: z.ZodType = z.object({ name: z.string(), next: z.lazy(() => node).optional() });
    const json = asSchema(node);
    expect(fieldOf(json, json)).toMatchObject({ kind: "object" });
    expect(blank(json, json)).toEqual({});
  });
});

it("begins with constants and defaults, and makes nothing up", () => {
  const json = asSchema(order);
  expect(blank(json, json)).toEqual({ currency: "EUR", lines: [] });
});

it("knows which of several shapes a value has", () => {
  const json = asSchema(order);
  const ship = fieldOf(json.properties?.ship ?? {}, json);
  const variants = ship.kind === "variants" ? ship.variants : [];
  expect(variants.map(({ label }) => label)).toEqual(["post", "pickup"]);
  expect(variantOf(variants, { by: "pickup" }, json)).toBe(1);
  expect(blank(variants[1]?.schema ?? {}, json)).toEqual({ by: "pickup" });
});

describe("the checks", () => {
  const check = inputChecker(asSchema(order));

  it("tell each place once, in words", () => {
    const problems = check?.({ orderId: "", amountCents: "1", email: "nobody", lines: [{ sku: "a", count: 0 }] });
    const byPath = Object.fromEntries((problems ?? []).map(({ path, message }) => [path.join("."), message]));
    expect(Object.keys(byPath).sort()).toEqual(["amountCents", "email", "lines.0.count", "orderId", "ship"]);
    expect(byPath.ship).toBe("Required");
    expect(byPath.email).not.toContain("/^");
  });

  it("look into the shape that comes closest", () => {
    const input = { orderId: "A", amountCents: 1, lines: [{ sku: "a", count: 1 }], ship: { by: "pickup" } };
    expect(check?.(input)).toEqual([{ path: ["ship", "shop"], message: "Required" }]);
    expect(check?.({ ...input, ship: { by: "pickup", shop: "1" } })).toEqual([]);
  });

  it("are left to the server for what they do not know", () => {
    expect(inputChecker({ $ref: "https://elsewhere.example/schema" })).toBeNull();
  });
});
