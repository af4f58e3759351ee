import { HandrailError } from "../../engine/errors";
import type { BodyAborts } from "./body-aborts";
import type { StepPlan } from "./step-plan";

/** Timers of Node overflow beyond this, and fire at once. No claim lasts that long. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The reasons to stop a body. */
export interface Limits {
  readonly signal: AbortSignal;
}

/**
 * Runs `body` under the step's timeout and the signal of its pass, and returns its result, its timeout, or that it
 * ignored its aborted signal for too long. A late result changes nothing, and a late failure must not end the process.
 */
export function withinLimits<Output>(
  bodies: BodyAborts,
  { name, timeoutMs }: StepPlan,
  body: (limits: Limits) => Output | Promise<Output>,
): Promise<Output> {
  return new Promise((resolve, reject) => {
    let limits: Limits = bodies;
    let timer: NodeJS.Timeout | undefined;
    if (timeoutMs !== undefined && timeoutMs <= LONGEST_TIMER_MS) {
      const timeout = new AbortController();
      limits = { signal: AbortSignal.any([bodies.signal, timeout.signal]) };
      timer = setTimeout(() => {
        const error = timedOut(name, timeoutMs);
        timeout.abort(error);
        fail(error);
      }, timeoutMs);
    }
    const unhear = bodies.onAbandon((error) => fail(error));
    const ended = () => {
      clearTimeout(timer);
      unhear();
    };
    const fail = (error: unknown) => {
      ended();
      reject(error);
    };
    try {
      Promise.resolve(body(limits)).then((output) => {
        ended();
        resolve(output);
      }, fail);
    } catch (error) {
      fail(error);
    }
  });
}

const timedOut = (name: string, timeoutMs: number) =>
  new HandrailError("step_timed_out", `Step "${name}" took longer than its timeout of ${timeoutMs} ms.`);
