import { HandrailError } from "../../engine/errors";
import { nestedCall } from "../steps/running-body";
import { started } from "./promises";

/** Names that a message lists; of more it says how many. */
const NAMED = 5;

/** The calls of the workflow's code to its context in one pass. */
export class StepCalls {
  private readonly unawaited = new Set<{ name: string }>();
  /** A call from code that a body left running after its end. */
  private misuse: HandrailError | undefined;

  /**
   * An invalid call rejects its promise, as a failing step does. An unawaited rejection is on record, and must not end
   * the process.
   */
  ask<Result>(name: string, call: () => Promise<Result>): Promise<Result> {
    const unawaited = { name };
    this.unawaited.add(unawaited);
    return AwaitedPromise.of(this.refused(`Step "${name}"`, name) ?? started(call), () =>
      this.unawaited.delete(unawaited),
    );
  }

  /** For a call that is no step. */
  refusing<Result>(what: string, call: () => Promise<Result>, step?: string): Promise<Result> {
    const promise = this.refused(what, step) ?? started(call);
    promise.catch(ignore);
    return promise;
  }

  private refused(what: string, step?: string): Promise<never> | undefined {
    const nested = nestedCall(what, step);
    if (!nested) return undefined;
    if (nested.bodyIsOver) this.misuse ??= nested.error;
    return Promise.reject(nested.error);
  }

  /**
   * Once the code has returned.
   * @throws HandrailError `not_awaited` for a step whose promise nothing was waiting for; `nested_call` for one from
   * code that a body left running
   */
  assertAwaited(): void {
    if (this.misuse) throw this.misuse;
    const names = [...this.unawaited].map(({ name }) => name);
    if (names.length === 0) return;
    const shown = names.slice(0, NAMED).map((name) => `"${name}"`);
    const rest = names.length - shown.length;
    throw new HandrailError(
      "not_awaited",
      `The workflow's code returned without awaiting ${names.length === 1 ? "step" : "steps"} ${shown.join(", ")}` +
        `${rest > 0 ? ` and ${rest} more` : ""}. Its result, its error and what it was to do next would be lost: write await in front of it, ` +
        "or hand it to Promise.all or Promise.race.",
      { steps: names.slice(0, 100) },
    );
  }
}

const ignore = () => undefined;

/** A promise that reports when it is waited for. */
class AwaitedPromise<Result> extends Promise<Result> {
  private onAwaited: (() => void) | undefined;

  static of<Result>(promise: Promise<Result>, onAwaited: () => void): AwaitedPromise<Result> {
    const awaited: AwaitedPromise<Result> = new AwaitedPromise((resolve, reject) => {
      promise.then(resolve, (error) => {
        awaited.keepQuiet();
        reject(error);
      });
    });
    awaited.onAwaited = onAwaited;
    return awaited;
  }

  /** Its failure is on record, and must not end the process. Not at its beginning: each step would pay for another promise. */
  private keepQuiet(): void {
    const { onAwaited } = this;
    this.onAwaited = undefined;
    this.catch(ignore);
    this.onAwaited = onAwaited;
  }

  /**
   * `await`, `then`, Promise.all, race and any ask a promise what it is made by, before they wait for it. It says that it is a plain
   * promise, so that nothing is made around it: for another kind, an await makes three more.
   */
  hear(): PromiseConstructor {
    this.onAwaited?.();
    this.onAwaited = undefined;
    return Promise;
  }
}
Object.defineProperty(AwaitedPromise.prototype, "constructor", {
  get(this: AwaitedPromise<unknown>) {
    return this.hear();
  },
});
