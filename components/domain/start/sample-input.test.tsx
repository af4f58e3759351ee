import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sampleInput } from "./sample-input";

describe("the first draft of an input", () => {
  it("has the shape that the schema asks for", () => {
    const schema = z.object({
      orderId: z.string(),
      amountCents: z.int().positive(),
      email: z.email(),
      currency: z.enum(["EUR", "USD"]),
      priority: z.number().default(3),
      note: z.string().optional(),
      lines: z.array(z.object({ sku: z.string(), count: z.int().min(1) })),
    });
    const draft = sampleInput(z.toJSONSchema(schema, { io: "input" }));
    expect(draft).toEqual({
      orderId: "orderId",
      amountCents: 1,
      email: "customer@example.com",
      currency: "EUR",
      priority: 3,
      lines: [{ sku: "sku", count: 1 }],
    });
    expect(schema.safeParse(draft).success).toBe(true);
  });

  it("is empty where there is no schema", () => {
    expect(sampleInput(null)).toEqual({});
    expect(sampleInput({})).toBeNull();
  });

  it("ends with a schema that holds itself", () => {
    const schema: Record<string, unknown> = { type: "object" };
    schema.properties = { again: schema };
    expect(JSON.stringify(sampleInput(schema)).length).toBeLessThan(200);
  });
});
