import { HandrailError } from "../../engine/errors";
import type { BodyAborts } from "./body-aborts";
import type { StepPlan } from "./step-plan";

/** Timers of Node overflow beyond this, and fire at once. No claim lasts that long. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Code around a body that goes on after it is waited for no longer than this. */
const AFTER_BODY_MS = 5_000;

/** The reasons to stop a body. */
export interface Limits {
  readonly signal: AbortSignal;
  /**
   * Tells that the body has its outcome while code around it may go on: the step's timeout counts no more, so that it cannot
   * make a doubt of what is known. `leave` is called when that code is to be waited for no longer.
   */
  readonly bodyEnded?: (leave: () => void) => void;
}

/**
 * Runs `body` under the step's timeout and the signal of its pass, and returns its result, its timeout, or that it
 * ignored its aborted signal for too long. A late result changes nothing, and a late failure must not end the process.
 * @param bodyHasEnded called before its outcome is returned, where code around the body tells of it
 */
export function withinLimits<Output>(
  bodies: BodyAborts,
  { name, timeoutMs }: StepPlan,
  body: (limits: Limits) => Output | Promise<Output>,
  bodyHasEnded = () => {},
): Promise<Output> {
  return new Promise((resolve, reject) => {
    let timeout: AbortSignal | undefined;
    let timer: NodeJS.Timeout | undefined;
    if (timeoutMs !== undefined && timeoutMs <= LONGEST_TIMER_MS) {
      const controller = new AbortController();
      timeout = AbortSignal.any([bodies.signal, controller.signal]);
      timer = setTimeout(() => {
        const error = timedOut(name, timeoutMs);
        controller.abort(error);
        fail(error);
      }, timeoutMs);
    }
    let unhear = bodies.onAbandon((error) => fail(error));
    let over = false;
    const ended = () => {
      over = true;
      clearTimeout(timer);
      unhear();
    };
    const bodyEnded = (leave: () => void) => {
      if (over) return;
      bodyHasEnded();
      clearTimeout(timer);
      unhear();
      timer = setTimeout(leave, AFTER_BODY_MS);
      unhear = bodies.onAbandon(leave);
    };
    const fail = (error: unknown) => {
      ended();
      reject(error);
    };
    const limits: Limits = {
      get signal() {
        return timeout ?? bodies.signal;
      },
      bodyEnded,
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
