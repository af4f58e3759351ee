import { AsyncLocalStorage } from "node:async_hooks";
import { HandrailError } from "../../engine/errors";
import type { StepBody } from "../../engine/workflows/step-options";
import { setTaker } from "../../logs/captured";
import { isThenable } from "../passes/promises";

/** A running body: all its calls, awaited or not, share it. */
interface RunningBody {
  of: BodyOf;
  /** The first refused call of the context in it. */
  misuse: HandrailError | undefined;
  over: boolean;
}

export interface BodyOf {
  kind: "body" | "compensation" | "reconcile";
  step: string;
  /** Takes what it logs by the app's own means; undefined: nothing does. */
  captured?: StepBody["log"] | undefined;
}

const running = new AsyncLocalStorage<RunningBody | undefined>();

/**
 * Runs a body; one that is not async is over when this returns. A refused call of the context fails it, even if the body caught
 * the refusal or did not await the call.
 */
export function runBody<Output>(of: BodyOf, body: () => Output | Promise<Output>): Output | Promise<Output> {
  const here: RunningBody = { of, misuse: undefined, over: false };
  const fail = (error: unknown): never => {
    here.over = true;
    throw here.misuse ?? error;
  };
  const end = (output: Output) => {
    here.over = true;
    if (here.misuse) throw here.misuse;
    return output;
  };
  let begun: Output | Promise<Output>;
  try {
    begun = running.run(here, body);
    if (isThenable(begun)) return Promise.resolve(begun).then(end, fail);
  } catch (error) {
    return fail(error);
  }
  return end(begun as Output);
}

/** Runs a workflow's code: never inside a body, even if a body of another run led to its start. */
export const outsideBodies = <Result>(code: () => Result): Result => running.run(undefined, code);

setTaker(() => {
  const here = running.getStore();
  return here && !here.over ? here.of.captured : undefined;
});

/** Why the context cannot be used here; undefined between steps. `bodyIsOver`: the body is no longer waited for. */
export function nestedCall(call: string, step?: string): { error: HandrailError; bodyIsOver: boolean } | undefined {
  const here = running.getStore();
  if (!here) return undefined;
  const { kind, step: inside } = here.of;
  const error = new HandrailError(
    "nested_call",
    `${call} was asked for inside the ${kind} of step "${inside}". What happens there is kept as one outcome, so the context's calls ` +
      "have no place in it: make the call between steps, and hand its result to the body. In it, only ctx.log and ctx.progress work.",
    { inside, ...(step !== undefined && { step }) },
  );
  if (!here.over) here.misuse ??= error;
  return { error, bodyIsOver: here.over };
}
