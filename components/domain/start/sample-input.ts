import type { Json } from "@/components/parts/values/value-node";
import { type InputSchema, isSchema } from "./input-schema";

/** A first draft of an input, in the shape that its JSON Schema asks for; `{}` where it asks for nothing. */
export function sampleInput(schema: unknown): Json {
  return isSchema(schema) ? sample(schema, "", 0) : {};
}

const MAX_DEPTH = 6;

function sample(schema: InputSchema, name: string, depth: number): Json {
  const given = schema.const ?? schema.default ?? schema.examples?.[0] ?? schema.enum?.[0];
  if (given !== undefined) return given;
  const variant = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0];
  if (variant) return sample(variant, name, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : (schema.type ?? (schema.properties ? "object" : "null"));
  switch (type) {
    case "object":
      return depth >= MAX_DEPTH ? {} : sampleObject(schema, depth);
    case "array":
      return schema.items && depth < MAX_DEPTH ? [sample(schema.items, name, depth + 1)] : [];
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return false;
    case "string":
      return sampleText(schema, name);
    default:
      return null;
  }
}

function sampleObject({ properties = {}, required }: InputSchema, depth: number): Json {
  const wanted = Object.entries(properties).filter(
    ([name, schema]) => !required || required.includes(name) || schema.default !== undefined,
  );
  return Object.fromEntries(wanted.map(([name, schema]) => [name, sample(schema, name, depth + 1)]));
}

function sampleNumber({ minimum, exclusiveMinimum }: InputSchema): number {
  if (exclusiveMinimum !== undefined) return Math.floor(exclusiveMinimum) + 1;
  return minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : 0;
}

const TEXTS: Record<string, string> = {
  email: "customer@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  date: "2026-01-01",
  "date-time": "2026-01-01T12:00:00Z",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** A placeholder word is better than nothing. */
const sampleText = ({ format }: InputSchema, name: string): string => (format && TEXTS[format]) || name;
