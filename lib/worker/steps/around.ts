import { HandrailError } from "../../engine/errors";
import type { BodyCall } from "../../engine/workflows/middleware";
import type { StepBody } from "../../engine/workflows/step-options";
import type { Claim } from "../claims/claim";
import { factsOf } from "../passes/context";
import { errorText } from "./error-text";
import type { Limits } from "./limits";

type Given = Omit<BodyCall, "run"> & Pick<StepBody, "log">;
type Outcome<Output> = { output: Output } | { thrown: unknown };

/**
 * Runs a body within the app's middleware, the first one outermost. The body's outcome stands: code around it must neither turn an
 * effect that has happened into a failure, nor hide one that has not; not by going on without end, either.
 * @param limits those of its attempt; undefined in a transaction, which rolls back with it
 * @throws what the body, or a middleware before it, throws
 */
export function around<Output>(
  claim: Claim,
  describe: () => Given,
  body: () => Output | Promise<Output>,
  limits?: Limits,
): Output | Promise<Output> {
  const { middleware, run } = claim;
  if (middleware.length === 0) return body();
  const { log, ...given } = describe();
  const call: BodyCall = { ...given, run: factsOf(run) };
  let outcome: Outcome<Output> | undefined;
  let leave = () => {};
  const left = new Promise<never>((_, reject) => {
    leave = () =>
      reject(new StillAround(`A middleware around step "${given.step}" went on for too long after the body.`));
  });
  const from = async (index: number): Promise<void> => {
    const one = middleware[index];
    if (!one) {
      // It may have waited for long: the attempt may be over, and its step be done again elsewhere.
      call.signal.throwIfAborted();
      claim.assertOwned();
      outcome = await outcomeOf(body);
      limits?.bodyEnded?.(leave);
      if ("thrown" in outcome) throw outcome.thrown;
      return;
    }
    let inner: Promise<void> | undefined;
    let over = false;
    const next = () => {
      inner ??= over ? tooLate(given.step) : from(index + 1);
      return inner;
    };
    try {
      await one(call, next);
    } finally {
      over = true;
      // A middleware that does not wait for it must not leave a body running.
      await inner?.catch(() => undefined);
    }
  };
  return Promise.race([from(0), left]).then(
    () => settled(outcome, given.step),
    (error) => {
      if (!outcome) throw error;
      if (!("thrown" in outcome) || error instanceof StillAround)
        log("A middleware failed after the body had ended.", errorText(error), "warn");
      return settled(outcome, given.step);
    },
  );
}

/** A middleware that is not waited for any longer. */
class StillAround extends Error {}

/** Of a call that nobody may wait for: it must not end the process. */
function tooLate(step: string): Promise<void> {
  const refused = Promise.reject(
    new HandrailError("invalid_workflow", `A middleware around step "${step}" called next() after it had returned.`),
  );
  refused.catch(() => undefined);
  return refused;
}

const outcomeOf = async <Output>(body: () => Output | Promise<Output>): Promise<Outcome<Output>> => {
  try {
    return { output: await body() };
  } catch (thrown) {
    return { thrown };
  }
};

function settled<Output>(outcome: Outcome<Output> | undefined, step: string): Output {
  if (!outcome)
    throw new HandrailError("invalid_workflow", `A middleware around step "${step}" returned without calling next().`);
  if ("thrown" in outcome) throw outcome.thrown;
  return outcome.output;
}
