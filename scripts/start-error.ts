import { isHandrailError } from "../lib/engine/errors";
import { EnvError } from "../lib/env";

/** An error that keeps Handrail from starting and that the operator can fix: the message says how. */
export class StartError extends Error {
  override name = "StartError";
}

/** The last words of a script. A stack trace helps only where the cause is a mistake in the code. */
export function printError(error: unknown): void {
  const expected = error instanceof StartError || error instanceof EnvError || isHandrailError(error);
  console.error(expected ? error.message : error);
}
