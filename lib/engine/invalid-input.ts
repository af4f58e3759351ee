import type { StandardSchemaV1 } from "@standard-schema/spec";
import { HandrailError } from "./errors";

/** Paths and messages can contain caller-chosen names: a bound keeps the refusal shorter than the request. */
const MAX_TOLD = 300;
export const clipped = (text: string) => (text.length > MAX_TOLD ? `${text.slice(0, MAX_TOLD)}…` : text);

/** Schema issues as an error with the paths in `details.issues`, 20 at most. */
export function invalidInput(what: string, issues: readonly StandardSchemaV1.Issue[]): HandrailError {
  const found = issues.slice(0, 20).map(({ message, path = [] }) => ({
    path: path.map((part) => clipped(String(typeof part === "object" ? part.key : part))),
    message: clipped(message),
  }));
  const first = found[0];
  const where = first?.path.length ? `${first.path.join(".")}: ` : "";
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : "";
  return new HandrailError("invalid_input", `${what} ${where}${first?.message}${more}`, { issues: found });
}
