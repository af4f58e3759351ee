import { type Duration, toMilliseconds } from "../engine/duration";
import { HandrailError } from "../engine/errors";
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
  // Async, so that whatever is wrong with a call rejects its promise, as a failing step does.
  return {
    run: factsOf(run),
    async step(name: string, body: AnyBody, options: StepOptions<never> = {}) {
      const plan = planStep(name, "step", options, workflow.retry);
      names.meet(name);
      return performer.step(plan, body) as never;
    },
    async transaction(
      name: string,
      body: AnyTransactionBody,
      { client = "app", ...options }: TransactionOptions<never> = {},
    ) {
      const plan = planStep(name, "transaction", options, workflow.retry);
      names.meet(name);
      return performer.transaction(plan, client, body) as never;
    },
    async sleep(name: string, duration: Duration) {
      const plan = planStep(name, "sleep", {}, workflow.retry);
      const inMs = toMilliseconds(duration);
      names.meet(name);
      await performer.sleep(plan, { inMs });
    },
    async sleepUntil(name: string, instant: Date) {
      const plan = planStep(name, "sleep", {}, workflow.retry);
      if (!(instant instanceof Date) || Number.isNaN(instant.getTime()))
        throw new HandrailError("invalid_value", `sleepUntil("${name}", …) needs a valid Date.`);
      names.meet(name);
      await performer.sleep(plan, { at: instant.toISOString() });
    },
  } as Context;
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
