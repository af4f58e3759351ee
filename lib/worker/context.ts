import { type Duration, toMilliseconds } from "../engine/duration";
import { HandrailError } from "../engine/errors";
import type { StepKind } from "../engine/step";
import type {
  Context,
  RunFactsForAuthors,
  StepBody,
  StepOptions,
  TransactionOptions,
  Workflow,
} from "../engine/workflow";
import type { ClaimedRun } from "../store/claim-runs";
import { planStep, type StepPlan } from "./step-plan";

export type AnyBody = (body: StepBody) => unknown;
export type AnyTransactionBody = (client: unknown, body: StepBody) => Promise<unknown>;
export type Until = { inMs: number } | { at: string };

/** What happens when the workflow's code asks for a step: a pass executes it, a search for undos only looks it up. */
export interface Performer {
  step(plan: StepPlan, body: AnyBody): Promise<unknown>;
  transaction(plan: StepPlan, client: "app" | "pg", body: AnyTransactionBody): Promise<unknown>;
  sleep(plan: StepPlan, until: Until): Promise<void>;
}

/** The author's view of a pass: names checked, options filled in, and each name met once. */
export function createContext(run: ClaimedRun, workflow: Workflow, performer: Performer): Context {
  const names = new MetNames();
  const plan = (name: string, kind: StepKind, options: StepOptions<never>): StepPlan => {
    const planned = planStep(name, kind, options, workflow.retry);
    names.meet(name);
    return planned;
  };
  return {
    run: factsOf(run),
    step: (name: string, body: AnyBody, options: StepOptions<never> = {}) =>
      heard(async () => performer.step(plan(name, "step", options), body)),
    transaction: (name: string, body: AnyTransactionBody, options: TransactionOptions<never> = {}) =>
      heard(async () => performer.transaction(plan(name, "transaction", options), options.client ?? "app", body)),
    sleep: (name: string, duration: Duration) =>
      heard(async () => performer.sleep(plan(name, "sleep", {}), { inMs: toMilliseconds(duration) })),
    sleepUntil: (name: string, instant: Date) =>
      heard(async () => performer.sleep(plan(name, "sleep", {}), { at: isoInstant(name, instant) })),
  } as Context;
}

/**
 * Whatever is wrong with a call rejects its promise, as a failing step does. A rejection that nobody awaits is on record, and
 * must not end the process.
 */
function heard<Result>(call: () => Promise<Result>): Promise<Result> {
  const promise = call();
  promise.catch(() => undefined);
  return promise;
}

// Years that the database reads as they are written.
const FIRST_INSTANT = Date.parse("0001-01-01T00:00:00Z");
const LAST_INSTANT = Date.parse("9999-12-31T23:59:59Z");

function isoInstant(name: string, instant: Date): string {
  if (instant instanceof Date && instant.getTime() >= FIRST_INSTANT && instant.getTime() <= LAST_INSTANT)
    return instant.toISOString();
  throw new HandrailError("invalid_value", `sleepUntil("${name}", …) needs a valid Date, in the years 1 to 9999.`);
}

function factsOf(run: ClaimedRun): RunFactsForAuthors {
  const { id, workflow, version, generation, createdAt, tags } = run;
  return { id, workflow, version, generation, createdAt, tags: tags ?? {} };
}

// Deep enough for the author's own frame below ours; the text is only made when it is read.
const STACK_FRAMES = 6;

/** The names of one pass. A name met twice would hand the first step's outcome to the second, silently. */
class MetNames {
  private readonly places = new Map<string, { stack?: string }>();

  /** @throws HandrailError `duplicate_step` with both places */
  meet(name: string): void {
    const place = placeOfCall();
    const earlier = this.places.get(name);
    if (earlier === undefined) return void this.places.set(name, place);
    throw new HandrailError(
      "duplicate_step",
      `Two steps of one pass are named "${name}": first ${authorsLine(earlier)}, then ${authorsLine(place)}. ` +
        `A step is known by its name: make it one of its own, for instance from the item, such as \`${name}:\${item.id}\`.`,
      { step: name },
    );
  }
}

function placeOfCall(): { stack?: string } {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = STACK_FRAMES;
  const place: { stack?: string } = {};
  Error.captureStackTrace(place, placeOfCall);
  Error.stackTraceLimit = stackTraceLimit;
  return place;
}

function authorsLine(place: { stack?: string }): string {
  const frames = (place.stack ?? "").split("\n").slice(1);
  const authors = frames.find((frame) => !/[\\/]lib[\\/]worker[\\/]context\./.test(frame));
  return authors?.trim() ?? "at an unknown place";
}
