import { asPlainText } from "./plain-text";

/** An error as it is stored and shown: bounded and representable in JSON. */
export interface SerializedError {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: SerializedError;
}

// 50 frames of a stack or five causes are enough; longer errors fill databases and memory.
const MAX_MESSAGE = 8_192;
const MAX_STACK_LINES = 50;
const MAX_STACK = 16_384;
const MAX_CAUSES = 5;

/** Plain in JSON, too: what reads a part of a stored error, as a filter does, gets what PostgreSQL can hold. */
const clip = (text: string, max: number) =>
  text.length <= max ? asPlainText(text) : `${asPlainText(text.slice(0, max))}… (${text.length} characters)`;

/** Accepts whatever a body threw, also a non-Error. Never throws. */
export function serializeError(thrown: unknown, depth = 0): SerializedError {
  try {
    return thrown instanceof Error ? fromError(thrown, depth) : fromOther(thrown);
  } catch {
    return { name: "UnreadableError", message: "An error was thrown whose name and message cannot be read." };
  }
}

function fromError(error: Error, depth: number): SerializedError {
  const { errors } = error as { errors?: unknown };
  const several = Array.isArray(errors) ? errors : [];
  const serialized: SerializedError = {
    name: clip(String(error.name || "Error"), 200),
    message: clip(String(error.message) || messagesOf(several), MAX_MESSAGE),
  };
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" || typeof code === "number") serialized.code = clip(String(code), 200);
  if (typeof error.stack === "string")
    serialized.stack = clip(error.stack.split("\n").slice(0, MAX_STACK_LINES).join("\n"), MAX_STACK);
  const cause = error.cause === undefined ? several[0] : error.cause;
  if (cause !== undefined && depth < MAX_CAUSES) serialized.cause = serializeError(cause, depth + 1);
  return serialized;
}

/** Of an AggregateError without a message, such as that of a refused connection to each address of a name. */
const messagesOf = (errors: readonly unknown[]): string =>
  errors
    .slice(0, MAX_CAUSES)
    .map((one) => (one instanceof Error ? one.message : String(one)))
    .join("; ");

function fromOther(thrown: unknown): SerializedError {
  return {
    name: "NotAnError",
    message: clip(`A value that is not an Error was thrown: ${describe(thrown)}`, MAX_MESSAGE),
  };
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "object" && value !== null) return asJson(value);
  return String(value);
}

/** What JSON cannot hold, such as a cycle or a bigint, has its message at least. */
function asJson(value: object): string {
  try {
    return JSON.stringify(value) ?? "an object";
  } catch (error) {
    const { message, code } = value as { message?: unknown; code?: unknown };
    if (typeof message !== "string") throw error;
    return JSON.stringify({ message, ...((typeof code === "string" || typeof code === "number") && { code }) });
  }
}

/** The error as the workflow's code receives it, the same in the first pass and in every replay. */
export function deserializeError(serialized: SerializedError): Error {
  const options = serialized.cause ? { cause: deserializeError(serialized.cause) } : undefined;
  const error = new Error(serialized.message, options);
  Object.defineProperty(error, "name", { value: serialized.name, configurable: true, writable: true });
  if (serialized.code !== undefined) Object.assign(error, { code: serialized.code });
  if (serialized.stack !== undefined)
    Object.defineProperty(error, "stack", { value: serialized.stack, configurable: true });
  return error;
}
