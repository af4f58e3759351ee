import type { Json } from "@/components/parts/values/value-node";

/** The part of JSON Schema (2020-12) that the form supports. The validation enforces the rest. */
export interface InputSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, InputSchema>;
  required?: string[];
  items?: InputSchema;
  enum?: Json[];
  const?: Json;
  default?: Json;
  examples?: Json[];
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  anyOf?: InputSchema[];
  oneOf?: InputSchema[];
  allOf?: InputSchema[];
  $ref?: string;
  $defs?: Record<string, InputSchema>;
}

export const isSchema = (schema: unknown): schema is InputSchema => typeof schema === "object" && schema !== null;

/** References are followed this far: a longer chain refers to itself. */
const MOST_REFERENCES = 8;

/** The schema that is meant: references to the schema's own definitions followed, a lone alternative taken. */
export function resolved(schema: InputSchema, root: InputSchema, followed = 0): InputSchema {
  if (followed > MOST_REFERENCES) return {};
  const { $ref, anyOf, oneOf, allOf, ...own } = schema;
  const target = $ref === undefined ? undefined : definition($ref, root);
  const lone = [anyOf, oneOf, allOf].find((list) => list?.length === 1)?.[0];
  const meant = target ?? lone;
  return meant ? { ...resolved(meant, root, followed + 1), ...own } : schema;
}

function definition($ref: string, root: InputSchema): InputSchema {
  if ($ref === "#") return root;
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec($ref)?.[1];
  return (name && root.$defs?.[name]) || {};
}

/** The alternatives without null, and whether null is one. */
export function alternatives(schema: InputSchema, root: InputSchema): { nullable: boolean; others: InputSchema[] } {
  const all = (schema.anyOf ?? schema.oneOf ?? []).map((one) => resolved(one, root));
  const others = all.filter(({ type }) => type !== "null");
  return { nullable: others.length < all.length, others };
}

/** The one type besides null; undefined where there are several, or none is said. */
export function typeOf({ type, properties }: InputSchema): { type: string | undefined; nullable: boolean } {
  if (type === undefined) return { type: properties ? "object" : undefined, nullable: false };
  const types = [type].flat();
  const others = types.filter((one) => one !== "null");
  return { type: others.length === 1 ? others[0] : undefined, nullable: others.length < types.length };
}
