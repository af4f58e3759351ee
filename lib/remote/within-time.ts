import { createContext, Script } from "node:vm";
import { HandrailError } from "../engine/errors";

/** Far more than any input of a mebibyte needs. */
const LONGEST_MS = 250;

const sandbox = createContext({ work: undefined as (() => unknown) | undefined });
const script = new Script("work()");

/**
 * Runs synchronous work that others have defined, and aborts it when it takes too long: a pattern such as `(a+)+$` can
 * keep a process busy for years. Costs about 0.1 ms.
 * @throws HandrailError `invalid_value` on timeout
 */
export function withinTime<Result>(what: string, work: () => Result): Result {
  sandbox.work = work;
  try {
    return script.runInContext(sandbox, { timeout: LONGEST_MS }) as Result;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new HandrailError("invalid_value", `${what} takes more than ${LONGEST_MS} ms: its schema is too costly.`);
  } finally {
    sandbox.work = undefined;
  }
}
