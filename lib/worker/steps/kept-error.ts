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

const DEEPEST = 10;
/** Of the errors of one `Promise.any`. */
const MOST_OF_ONE = 100;

/**
 * The step that an error came from, also when the author wrapped it as a cause, or the first one of several; null for errors of the
 * code between steps.
 */
export function failedStepOf(error: unknown, depth = 0): string | null {
  if (typeof error !== "object" || error === null || depth === DEEPEST) return null;
  const step = failedSteps.get(error);
  if (step !== undefined) return step;
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  for (const inner of [cause, ...(Array.isArray(errors) ? errors.slice(0, MOST_OF_ONE) : [])]) {
    const found = failedStepOf(inner, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
