import { expect, it } from "vitest";
import { z } from "zod";
import { inputJsonSchema } from "./input-schema";

it("keeps what JSON Schema can describe, and says of the rest that the start checks it", () => {
  const input = z.strictObject({
    id: z.string().min(3).default("abc"),
    at: z.date(),
    until: z.date().describe("The last day").optional(),
    weight: z.string().transform(Number),
  });
  expect(inputJsonSchema({ input })).toMatchObject({
    type: "object",
    properties: {
      id: { type: "string", minLength: 3, default: "abc" },
      at: { description: "JSON Schema cannot describe this value: it is checked at the start." },
      until: { description: "The last day" },
      weight: { type: "string" },
    },
    required: ["at", "weight"],
    additionalProperties: false,
  });
});

it("is that of the worker for a workflow over HTTP, and null where the library makes none", () => {
  const foreign = { "~standard": { vendor: "other", version: 1 as const, validate: (value: unknown) => ({ value }) } };
  expect(inputJsonSchema({ input: foreign })).toBeNull();
  const remote = { name: "a", version: 1, language: "Python", inputSchema: { type: "string" } };
  expect(inputJsonSchema({ input: foreign, remote })).toEqual({ type: "string" });
});
