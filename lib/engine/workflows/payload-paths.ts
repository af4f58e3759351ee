import type { StandardSchemaV1 } from "@standard-schema/spec";
import { inputJsonSchema } from "./input-schema";

type JsonSchema = Record<string, unknown>;

/** A schema is converted once: its waits are planned again at every pass. */
const converted = new WeakMap<StandardSchemaV1, JsonSchema | null>();

function jsonSchemaOf(schema: StandardSchemaV1): JsonSchema | null {
  let json = converted.get(schema);
  if (json === undefined) {
    json = inputJsonSchema({ input: schema });
    converted.set(schema, json);
  }
  return json;
}

/** Keywords beside `properties` by which a value may have more fields than those. */
const OPEN = ["anyOf", "oneOf", "allOf", "$ref", "patternProperties", "if"];

/**
 * Whether values of a schema can have a field: false only if the schema says that they cannot, true as well where this cannot
 * be known.
 */
export const fieldsOf = (schema: StandardSchemaV1 | undefined) => (path: readonly string[]) =>
  schema === undefined || hasPath(jsonSchemaOf(schema), path);

function hasPath(schema: JsonSchema | null, path: readonly string[]): boolean {
  let json: unknown = schema;
  for (const key of path) {
    const { properties, additionalProperties = false, ...rest } = (json ?? {}) as JsonSchema;
    if (!properties || OPEN.some((keyword) => keyword in rest)) return true;
    if (Object.hasOwn(properties, key)) json = (properties as JsonSchema)[key];
    else return additionalProperties !== false;
  }
  return true;
}
