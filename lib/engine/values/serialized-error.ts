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
  const serialized: SerializedError = {
    name: clip(String(error.name || "Error"), 200),
    message: clip(String(error.message), MAX_MESSAGE),
  };
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" || typeof code === "number") serialized.code = clip(String(code), 200);
  if (typeof error.stack === "string")
    serialized.stack = clip(error.stack.split("\n").slice(0, MAX_STACK_LINES).join("\n"), MAX_STACK);
  if (error.cause !== undefined && depth < MAX_CAUSES) serialized.cause = serializeError(error.cause, depth + 1);
  return serialized;
}

function fromOther(thrown: unknown): SerializedError {
  return {
    name: "NotAnError",
    message: clip(`A value that is not an Error was thrown: ${describe(thrown)}`, MAX_MESSAGE),
  };
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "object" && value !== null) return JSON.stringify(value) ?? "an object";
  return String(value);
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
