import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";

const STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  card_declined: 402,
  not_found: 404,
  already_refunded: 409,
  idempotency_conflict: 409,
  too_large: 413,
  unavailable: 503,
} as const satisfies Record<string, ContentfulStatusCode>;

/** Every refusal of the sandbox. */
export class Refusal extends Error {
  constructor(
    readonly code: keyof typeof STATUS,
    message: string,
  ) {
    super(message);
  }
}

export function answerError(error: Error, c: Context): Response {
  if (error instanceof Refusal) {
    return c.json({ error: { code: error.code, message: error.message } }, STATUS[error.code]);
  }
  return c.json({ error: { code: "internal", message: error.message } }, 500);
}

export async function readJson<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await c.req.text();
  return check(schema, parseJson(text));
}

export function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new Refusal("invalid_request", z.prettifyError(result.error));
  return result.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("invalid_json", "the body is not JSON");
  }
}
