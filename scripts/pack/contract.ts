import { z } from "zod";
import { errorResponse } from "../../lib/api/contract/responses";
import type { Endpoint } from "../../lib/api/endpoint";

type JsonSchema = { [name: string]: unknown };

/**
 * The types of `lib/api/client/contract.ts`, written out from the schemas of the endpoints: the package's types need neither zod nor the
 * server. Named schemas become interfaces of that name; as they are sent, of that name and `Sent` where that differs.
 */
export function contractTypes(endpoints: readonly Endpoint[]): string {
  const answers = namesOf([errorResponse, ...endpoints.map(({ answer }) => answer)], "output", "");
  const requests = namesOf(
    endpoints.flatMap(({ body }) => body ?? []),
    "input",
    "Sent",
  );
  const methods = [...new Set(endpoints.map(({ method }) => method))].map((method) => {
    const paths = endpoints
      .filter((endpoint) => endpoint.method === method)
      .map(({ path, params, query, body, answer }) => {
        const parts = {
          params: fieldsOf(params),
          query: fieldsOf(query),
          request: body ? requests.typeOf(body) : "never",
          answer: answers.typeOf(answer),
        };
        return `    ${JSON.stringify(path)}: {\n${Object.entries(parts)
          .map(([name, type]) => `      ${name}: ${type};\n`)
          .join("")}    };\n`;
      });
    return `  ${method}: {\n${paths.join("")}  };\n`;
  });
  return [
    "type Json = string | number | boolean | null | Json[] | { [key: string]: Json };",
    ...answers.declarations,
    ...requests.declarations,
    "/** What each path of the API takes and answers, by its method. */",
    `export interface Contract {\n${methods.join("")}}`,
    "/** One of the four of a path. */",
    `export type Part<M extends keyof Contract, P extends keyof Contract[M], Name extends "params" | "query" | "request" | "answer"> = Contract[M][P] extends { [Field in Name]: infer Type } ? Type : never;`,
    "",
  ].join("\n");
}

/** All schemas of a direction as parts of one, so that each named one is written once. */
function namesOf(schemas: readonly z.ZodType[], io: "input" | "output", suffix: string) {
  const distinct = [...new Set(schemas)];
  const whole = z.toJSONSchema(z.object(Object.fromEntries(distinct.map((schema, index) => [`n${index}`, schema]))), {
    io,
    unrepresentable: "any",
  }) as JsonSchema;
  const properties = whole.properties as Record<string, JsonSchema>;
  const named = Object.entries((whole.$defs ?? {}) as Record<string, JsonSchema>);
  const write = writerOf(suffix);
  return {
    declarations: named.map(([name, schema]) => `export type ${nameOf(name, suffix)} = ${write(schema)};`),
    typeOf: (schema: z.ZodType) => write(properties[`n${distinct.indexOf(schema)}`] ?? {}),
  };
}

const nameOf = (name: string, suffix: string) => `${name.replaceAll(/\W/g, "_")}${suffix}`;

/** Parameters, as a program gives them: numbers may be texts in addresses, but not here. */
function fieldsOf(schema: z.ZodType): string {
  const json = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }) as JsonSchema;
  return Object.keys((json.properties as JsonSchema | undefined) ?? {}).length === 0 ? "unknown" : writerOf("")(json);
}

function writerOf(suffix: string): (schema: JsonSchema) => string {
  const write = (schema: JsonSchema): string => {
    const {
      $ref,
      enum: values,
      anyOf,
      oneOf,
      allOf,
      type,
    } = schema as {
      $ref?: string;
      enum?: unknown[];
      anyOf?: JsonSchema[];
      oneOf?: JsonSchema[];
      allOf?: JsonSchema[];
      type?: string | string[];
    };
    if ($ref !== undefined) return nameOf($ref.split("/").at(-1) ?? "", suffix);
    if ("const" in schema) return JSON.stringify(schema.const);
    if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
    const union = anyOf ?? oneOf;
    if (union) return `(${union.map(write).join(" | ")})`;
    if (allOf) return `(${allOf.map(write).join(" & ")})`;
    return writeType(schema, type, write);
  };
  return write;
}

function writeType(schema: JsonSchema, type: unknown, write: (schema: JsonSchema) => string): string {
  if (Array.isArray(type)) return `(${type.map((one) => writeType(schema, one, write)).join(" | ")})`;
  if (type === "string" || type === "boolean" || type === "null") return type;
  if (type === "integer" || type === "number") return "number";
  if (type === "array")
    return `${write((schema.items as JsonSchema | undefined) ?? {})}[]`.replace(/^(.* .*)\[\]$/, "($1)[]");
  if (type === "object") return writeObject(schema, write);
  return "Json";
}

function writeObject(schema: JsonSchema, write: (schema: JsonSchema) => string): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = new Set(schema.required as string[] | undefined);
  const more = schema.additionalProperties;
  if (properties.length === 0) return typeof more === "object" ? `Record<string, ${write(more as JsonSchema)}>` : "{}";
  const fields = properties.map(([name, field]) => {
    const optional = required.has(name) ? "" : "?";
    const missing = optional && " | undefined";
    return `${JSON.stringify(name)}${optional}: ${write(field)}${missing}`;
  });
  return `{ ${fields.join("; ")} }`;
}
