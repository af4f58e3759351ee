import { z } from "zod";
import type { Endpoint } from "../../lib/api/endpoint";

export { ENDPOINTS } from "../../lib/api/all-endpoints";

export const NOBODY = "01890000-0000-7000-8000-000000000000";
const AN_INSTANT = "2026-01-01T00:00:00Z";

type Path = readonly (string | number)[];

/** A place for a string, number or boolean in a request body, and its schema. */
export interface Field {
  path: Path;
  type: string;
}

type JsonSchema = {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  pattern?: string;
};

const SAMPLES: Record<string, unknown> = { uuid: NOBODY, "date-time": AN_INSTANT };

/** A valid body with every field set, and the expected value at each path. One per body shape. */
export function bodiesOf({ body }: Endpoint): { value: unknown; fields: Field[] }[] {
  if (!body) return [];
  const { $defs = {}, ...schema } = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const resolved = deref(schema, $defs);
  return (resolved.anyOf ?? resolved.oneOf ?? [resolved]).map((shape) => {
    const fields: Field[] = [];
    return { value: exampleOf(deref(shape, $defs), [], fields), fields };
  });
}

/** The schema with its references resolved; recursion ends there. */
function deref(schema: JsonSchema, defs: Record<string, JsonSchema>, within: readonly string[] = []): JsonSchema {
  const name = schema.$ref?.replace("#/$defs/", "");
  if (name !== undefined) return within.includes(name) ? {} : deref(defs[name] ?? {}, defs, [...within, name]);
  const each = (all?: JsonSchema[]) => all?.map((one) => deref(one, defs, within));
  const properties = Object.entries(schema.properties ?? {}).map(([key, one]) => [key, deref(one, defs, within)]);
  return {
    ...schema,
    ...(schema.properties && { properties: Object.fromEntries(properties) }),
    ...(schema.items && { items: deref(schema.items, defs, within) }),
    ...(schema.anyOf && { anyOf: each(schema.anyOf) }),
    ...(schema.oneOf && { oneOf: each(schema.oneOf) }),
  } as JsonSchema;
}

function exampleOf(schema: JsonSchema, path: Path, fields: Field[]): unknown {
  const options = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== "null");
  if (options?.[0]) return exampleOf(options[0], path, fields);
  if (schema.const !== undefined) return schema.const;
  if (schema.type === "object") {
    const known = Object.entries(schema.properties ?? {});
    return Object.fromEntries(known.map(([name, inner]) => [name, exampleOf(inner, [...path, name], fields)]));
  }
  if (schema.type === "array") return [exampleOf(schema.items ?? {}, [...path, 0], fields)];
  fields.push({ path, type: schema.enum ? "enum" : String(schema.type ?? "any") });
  return schema.enum ? schema.enum[0] : sampleOf(schema);
}

function sampleOf({ type, format, minimum, pattern }: JsonSchema): unknown {
  if (type === "integer" || type === "number") return Math.max(minimum ?? 1, 1);
  if (type === "boolean") return true;
  if (type !== "string") return {};
  if (pattern?.includes("[0-9a-f]{64}")) return "0".repeat(64);
  if (pattern?.startsWith("^(\\/")) return "/a";
  return SAMPLES[format ?? ""] ?? "a";
}

/** The same body with another value in one place. */
export function withValue(body: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(body)) return body.map((item, index) => (index === first ? withValue(item, rest, value) : item));
  const own = body as Record<string, unknown>;
  return { ...own, [first]: withValue(own[first], rest, value) };
}

/** The names of an endpoint's query parameters. */
export const queryNames = ({ query }: Endpoint): string[] => Object.keys((query as z.ZodObject).shape ?? {});

const PARAMETERS: Record<string, string> = {
  name: "nothing",
  workflow: "nothing",
  step: "nothing",
  workerId: "999999",
};

/** An address of the endpoint with ids that do not exist, or with one given part. */
export const addressOf = ({ path }: Endpoint, given: Record<string, string> = {}): string =>
  path
    .replace("{path*}", given.path ?? "payments/nothing")
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] ?? PARAMETERS[name] ?? NOBODY);

export const parametersOf = ({ path }: Endpoint): string[] =>
  [...path.matchAll(/\{(\w+)\*?\}/g)].map(([, name]) => name as string);
