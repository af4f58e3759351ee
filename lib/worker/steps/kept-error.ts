import { deserializeError, type SerializedError } from "../../engine/values/serialized-error";

// By identity, so that an error that the author catches and rethrows is the same error, with nothing added to it.
const failedSteps = new WeakMap<object, string>();

/**
 * The error of a failed step as the workflow's code gets it: decoded from its record, in the first pass and in every
 * replay alike.
 */
export function keptError(step: string, text: string): Error {
  const error = deserializeError(JSON.parse(text) as SerializedError);
  failedSteps.set(error, step);
  return error;
}

/**
 * The step that an error came from, also when the author wrapped it as a cause; null for errors of the code between
 * steps.
 */
export function failedStepOf(error: unknown): string | null {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 10; depth++) {
    const step = failedSteps.get(at);
    if (step !== undefined) return step;
    at = (at as { cause?: unknown }).cause;
  }
  return null;
}
