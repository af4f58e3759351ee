import { HandrailError } from "../../engine/errors";
import { isThenable } from "../passes/promises";
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
  bodyEnded?(leave: () => void): void;
}

/**
 * Runs `body` under the step's timeout and the signal of its pass, and returns its result, its timeout, or that it
 * ignored its aborted signal for too long. A late result changes nothing, and a late failure must not end the process.
 * What a body returns that is not async is returned at once.
 * @param bodyHasEnded called before its outcome is returned, where code around the body tells of it
 */
export function withinLimits<Output>(
  bodies: BodyAborts,
  plan: StepPlan,
  body: (limits: Limits) => Output | Promise<Output>,
  bodyHasEnded?: () => void,
): Output | Promise<Output> {
  const limits = new BodyLimits(bodies, plan, bodyHasEnded);
  try {
    const begun = body(limits);
    if (isThenable(begun)) return limits.outcomeOf(begun);
    limits.end();
    return begun;
  } catch (error) {
    limits.end();
    throw error;
  }
}

class BodyLimits implements Limits {
  private timeout: AbortSignal | undefined;
  private timer: NodeJS.Timeout | undefined;
  private unhear: (() => void) | undefined;
  private over = false;
  private fail: ((error: unknown) => void) | undefined;

  constructor(
    private readonly bodies: BodyAborts,
    { name, timeoutMs }: StepPlan,
    private readonly bodyHasEnded: (() => void) | undefined,
  ) {
    if (timeoutMs === undefined || timeoutMs > LONGEST_TIMER_MS) return;
    const controller = new AbortController();
    this.timeout = AbortSignal.any([bodies.signal, controller.signal]);
    this.timer = setTimeout(() => {
      const error = timedOut(name, timeoutMs);
      controller.abort(error);
      this.fail?.(error);
    }, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.timeout ?? this.bodies.signal;
  }

  outcomeOf<Output>(begun: PromiseLike<Output>): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.fail = (error) => {
        this.end();
        reject(error);
      };
      // Code around the body may have heard its end already.
      this.unhear ??= this.bodies.onAbandon(this.fail);
      begun.then((output) => {
        this.end();
        resolve(output);
      }, this.fail);
    });
  }

  bodyEnded(leave: () => void): void {
    if (this.over) return;
    this.bodyHasEnded?.();
    clearTimeout(this.timer);
    this.unhear?.();
    this.timer = setTimeout(leave, AFTER_BODY_MS);
    this.unhear = this.bodies.onAbandon(leave);
  }

  end(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.unhear?.();
  }
}

const timedOut = (name: string, timeoutMs: number) =>
  new HandrailError("step_timed_out", `Step "${name}" took longer than its timeout of ${timeoutMs} ms.`);
