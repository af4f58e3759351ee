import type { z } from "zod";
import { HandrailError, isHandrailError } from "../../engine/errors";
import { clipped } from "../../engine/invalid-input";
import { databaseTrouble } from "../../operator/health/database-trouble";
import type { ErrorResponse } from "../contract/responses";

/** Converts any error to one that may be shown: foreign errors reveal nothing internal. */
export function asHandrailError(error: unknown): HandrailError {
  if (isHandrailError(error)) return error;
  return (
    databaseTrouble(error) ??
    new HandrailError("internal", "Something went wrong on our side. The server's log names this request.")
  );
}

export function errorBody({ code, message, details }: HandrailError, requestId: string): ErrorResponse {
  return { error: { code, message, details: JSON.parse(JSON.stringify(details)), requestId } };
}

/** The headers of a refusal; `retry-after` in whole seconds, rounded up. */
export function headersOf({ code, details }: HandrailError): Record<string, string> {
  if (code === "method_not_allowed") return { allow: String(details.allowed) };
  const waitMs = details.waitMs ?? details.retryAfterMs;
  if (typeof waitMs === "number") return { "retry-after": String(Math.ceil(waitMs / 1_000)) };
  return {};
}

const MAX_ISSUES = 20;

/** The issues, with their paths. */
export function misfit(code: "invalid_request" | "invalid_input", what: string, error: z.ZodError): HandrailError {
  const issues = error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: path.map((part) => clipped(String(part))), message: clipped(message) }));
  const first = issues[0];
  const where = first && first.path.length > 0 ? `${first.path.join(".")}: ` : "";
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : "";
  return new HandrailError(code, `The ${what} does not fit. ${where}${first?.message ?? ""}${more}`, { issues });
}
