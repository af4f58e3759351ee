import type { Json } from "@/components/parts/values/value-node";
import { alternatives, type InputSchema, resolved, typeOf } from "./input-schema";

/** How a value is asked for. */
export type InputField = { title?: string | undefined; hint?: string | undefined; nullable: boolean } & (
  | { kind: "text"; input: "text" | "email" | "url" | "date"; long: boolean; placeholder?: string | undefined }
  | { kind: "number" }
  | { kind: "flag" }
  | { kind: "choice"; options: Json[] }
  | { kind: "object"; parts: InputPart[] }
  | { kind: "list"; item: InputSchema }
  | { kind: "variants"; variants: InputVariant[] }
  /** Values that no form field supports are written as JSON. */
  | { kind: "json" }
);

interface InputPart {
  name: string;
  schema: InputSchema;
  required: boolean;
}

interface InputVariant {
  label: string;
  schema: InputSchema;
}

/** Deeper forms are of no use; the limit also ends recursive schemas. */
const MAX_DEPTH = 5;
/** Above this length, a text gets several lines. */
const LONG_TEXT = 300;

export function fieldOf(given: InputSchema, root: InputSchema, depth = 0): InputField {
  const schema = resolved(given, root);
  const { nullable: nullType, type } = typeOf(schema);
  const { nullable: nullAlternative, others } = alternatives(schema, root);
  const frame = { title: schema.title, hint: schema.description, nullable: nullType || nullAlternative };
  if (others.length === 1 && others[0]) return { ...fieldOf(others[0], root, depth), ...frame };
  if (depth > MAX_DEPTH) return { ...frame, kind: "json" };
  if (others.length > 1) return { ...frame, ...variantsOf(others, root) };
  if (schema.enum) return { ...frame, kind: "choice", options: schema.enum };
  if (schema.const !== undefined) return { ...frame, kind: "choice", options: [schema.const] };
  return { ...frame, ...plainField(schema, type) };
}

function plainField(schema: InputSchema, type: string | undefined) {
  switch (type) {
    case "string":
      return textField(schema);
    case "number":
    case "integer":
      return { kind: "number" } as const;
    case "boolean":
      return { kind: "flag" } as const;
    case "array":
      return schema.items ? ({ kind: "list", item: schema.items } as const) : ({ kind: "json" } as const);
    case "object":
      return objectField(schema);
    default:
      return { kind: "json" } as const;
  }
}

const INPUTS: Record<string, "email" | "url" | "date"> = { email: "email", uri: "url", url: "url", date: "date" };
const PLACEHOLDERS: Record<string, string> = {
  "date-time": "2026-01-31T12:00:00Z",
  uuid: "00000000-0000-4000-8000-000000000000",
  duration: "PT1H",
};

const textField = ({ format = "", maxLength = 0, examples }: InputSchema) =>
  ({
    kind: "text",
    input: INPUTS[format] ?? "text",
    long: maxLength > LONG_TEXT,
    placeholder: typeof examples?.[0] === "string" ? examples[0] : PLACEHOLDERS[format],
  }) as const;

/** Parts are addressed by paths with points, so that a name with one, or one that looks like an index, cannot be. */
const ADDRESSABLE = /^(?!\d+$)[^.[\]"']+$/;

function objectField({ properties = {}, required = [] }: InputSchema) {
  const names = Object.keys(properties);
  if (names.length === 0 || !names.every((name) => ADDRESSABLE.test(name))) return { kind: "json" } as const;
  return {
    kind: "object",
    parts: Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) })),
  } as const;
}

/** Alternatives that are objects with a distinct constant are chosen by it; others by their title or place. */
function variantsOf(others: InputSchema[], root: InputSchema) {
  if (others.every((one) => one.const !== undefined))
    return { kind: "choice", options: others.map((one) => one.const as Json) } as const;
  return {
    kind: "variants",
    variants: others.map((schema, index) => ({
      schema,
      label: schema.title ?? tagOf(schema, root) ?? `Shape ${index + 1}`,
    })),
  } as const;
}

function tagOf({ properties = {}, type }: InputSchema, root: InputSchema): string | undefined {
  const constant = Object.values(properties)
    .map((part) => resolved(part, root).const)
    .find((value) => typeof value === "string");
  return (constant as string | undefined) ?? (typeof type === "string" && type !== "object" ? type : undefined);
}

/** The value of a new entry: constants and defaults only. */
export function blank(given: InputSchema, root: InputSchema, depth = 0): Json | undefined {
  const schema = resolved(given, root);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  const field = fieldOf(schema, root, depth);
  if (field.kind === "list") return [];
  if (field.kind !== "object" || depth > MAX_DEPTH) return undefined;
  const parts = field.parts
    .filter(({ schema: part, required }) => required || resolved(part, root).default !== undefined)
    .map(({ name, schema: part }) => [name, blank(part, root, depth + 1)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(parts) as Json;
}

/** The variant of a value: the first whose constants match. */
export function variantOf(variants: InputVariant[], value: Json | undefined, root: InputSchema): number {
  const found = variants.findIndex(({ schema }) => fits(schema, value, root));
  return Math.max(0, found);
}

function fits(schema: InputSchema, value: Json | undefined, root: InputSchema): boolean {
  const { type } = typeOf(schema);
  if (type !== "object") return type === (Array.isArray(value) ? "array" : typeof value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(schema.properties ?? {}).every(([name, part]) => {
    const constant = resolved(part, root).const;
    return constant === undefined || value[name] === constant;
  });
}
