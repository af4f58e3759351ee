import { z } from "zod";
import * as access from "../contract/access";
import * as alerts from "../contract/alerts";
import * as audit from "../contract/audit";
import * as auditRow from "../contract/audit-row";
import * as cells from "../contract/cells";
import * as deploys from "../contract/deploys";
import * as destinations from "../contract/destinations";
import * as drives from "../contract/drives";
import * as effects from "../contract/effects";
import * as family from "../contract/family";
import * as flow from "../contract/flow";
import * as log from "../contract/log";
import * as operations from "../contract/operations";
import * as plans from "../contract/plans";
import * as problems from "../contract/problems";
import * as remote from "../contract/remote";
import * as requests from "../contract/requests";
import * as responses from "../contract/responses";
import * as run from "../contract/run";
import * as schedules from "../contract/schedules";
import * as search from "../contract/search";
import * as spans from "../contract/spans";
import * as steps from "../contract/steps";
import * as verifications from "../contract/verifications";
import * as views from "../contract/views";
import type { Endpoint } from "../endpoint";
import { ERROR_STATUS } from "./error-status";
import { REFUSED, refusalsOf } from "./refusals";

type JsonObject = Record<string, unknown>;

/** The OpenAPI document, generated from the schemas. @param endpoints by the names of their operations */
export function openApiDocument(endpoints: Readonly<Record<string, Endpoint>>) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Handrail",
      version: "1",
      description:
        "Retry-safe workflows on Postgres. Every mutation takes an Idempotency-Key header: the same key answers the same thing once it is done. Fields may be added; those below keep their name and meaning.",
    },
    servers: [{ url: "/api" }],
    security: [{ token: [] }],
    paths: paths(endpoints),
    components: {
      schemas: namedSchemas(endpoints),
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "Where there is sign-in: a token with the action in its scopes.",
        },
      },
    },
  };
}

function paths(endpoints: Readonly<Record<string, Endpoint>>): Record<string, JsonObject> {
  const byPath: Record<string, JsonObject> = {};
  for (const [operationId, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replaceAll("*}", "}");
    byPath[path] = { ...byPath[path], [endpoint.method.toLowerCase()]: { operationId, ...operation(endpoint) } };
  }
  return byPath;
}

function operation(endpoint: Endpoint): JsonObject {
  const { method, path, summary, action, params, query, body, rawBody } = endpoint;
  const { maxBodyBytes, maxBodyMarks, maxBodyKeys } = endpoint;
  const isMutation = method !== "GET";
  return {
    summary,
    ...(action === "public" ? { security: [] } : { "x-handrail-action": action }),
    parameters: [
      ...parameters(params, "path"),
      ...parameters(query, "query"),
      ...(isMutation ? [idempotencyHeader] : []),
      ...(path.startsWith("/v1/worker/runs/") ? [claimHeader] : []),
    ],
    ...(body && {
      requestBody: {
        required: true,
        description: `At most ${maxBodyBytes} bytes and ${maxBodyMarks} values: opening brackets, commas and colons count. At most ${maxBodyKeys} different keys.`,
        content: { "application/json": { schema: schemaOf(body) } },
      },
    }),
    ...(rawBody && {
      requestBody: {
        required: true,
        description: `At most ${rawBody.maxBytes} bytes.`,
        content: Object.fromEntries(rawBody.types.map((type) => [type, {}])),
      },
    }),
    responses: { ...successes(endpoint), ...refusals(endpoint), default: failure },
  };
}

const idempotencyHeader = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key with the same request is done once.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const claimHeader = {
  name: "Handrail-Claim",
  in: "header",
  required: true,
  description: "The secret that came with the claim.",
  schema: { type: "string" },
};

const anError = (description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorResponse" } } },
});

const failure = anError("Failed; `message` says what happened and what to do");

function refusals(endpoint: Endpoint): JsonObject {
  return Object.fromEntries(
    refusalsOf(endpoint).map((status) => {
      const codes = Object.entries(ERROR_STATUS).filter(([, one]) => one === status);
      return [status, anError(`${REFUSED[status]} Codes: ${codes.map(([code]) => code).join(", ")}.`)];
    }),
  );
}

function successes({ statuses, answer, contentType }: Endpoint): JsonObject {
  const content = { [contentType]: { schema: schemaOf(answer) } };
  return Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [status, { description, content }]),
  );
}

/** Lists are joined by commas; each tag is a separate parameter. */
function parameters(schema: z.ZodType, place: "path" | "query"): JsonObject[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: "output" });
  return Object.entries(properties).map(([name, property]) => ({
    name: name === "tags" ? "tag.NAME" : name,
    in: place,
    required: place === "path",
    ...(name === "tags"
      ? { description: "A tag's name goes in the place of NAME.", schema: { type: "string" } }
      : { schema: property, ...((property as JsonObject).type === "array" && { style: "form", explode: false }) }),
  }));
}

/** A named schema by its name, any other in place. */
function schemaOf(schema: z.ZodType): JsonObject {
  const name = nameOf(schema);
  return name === undefined ? withoutDialect(schema) : { $ref: `#/components/schemas/${name}` };
}

const nameOf = (schema: z.ZodType) => schema.meta()?.id;

function withoutDialect(schema: z.ZodType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}

function namedSchemas(endpoints: Readonly<Record<string, Endpoint>>): JsonObject {
  const contract = [
    access,
    audit,
    auditRow,
    alerts,
    cells,
    deploys,
    destinations,
    drives,
    effects,
    family,
    flow,
    log,
    operations,
    plans,
    problems,
    remote,
    requests,
    responses,
    run,
    schedules,
    search,
    verifications,
    views,
    spans,
    steps,
  ].flatMap((module): unknown[] => Object.values(module));
  const named = [...contract, ...Object.values(endpoints).map(({ body }) => body)].filter(
    (value): value is z.ZodType => value instanceof z.ZodType && nameOf(value) !== undefined,
  );
  // All as parts of one, so that each is written once and referenced by its name.
  const whole = z.object(Object.fromEntries(named.map((schema) => [nameOf(schema), schema])));
  // As input: clients must accept unknown fields.
  const { $defs } = z.toJSONSchema(whole, { io: "input" });
  return JSON.parse(JSON.stringify($defs).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
