import { type Duration, toMilliseconds } from "../../engine/duration";
import { HandrailError } from "../../engine/errors";
import type { Headers } from "../../engine/runs/headers";
import { checkProgress, type LogLevel, type Progress } from "../../engine/runs/log";
import type { StepKind } from "../../engine/steps/step";
import type { AwaitedChildOptions } from "../../engine/workflows/call-options";
import { checkIsFunction } from "../../engine/workflows/given-code";
import type { StepBody, StepOptions, TransactionOptions } from "../../engine/workflows/step-options";
import type { AppServices, Context, RunFactsForAuthors, Workflow } from "../../engine/workflows/workflow";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { type ChildPlan, planChild } from "../children/child-plan";
import { stepOfPage } from "../maps/begun-pages";
import { type BegunPages, mapInPages, type PageOutput } from "../maps/map-in-pages";
import { type MapPlan, planMap } from "../maps/map-plan";
import { type OtherWrite, otherRuns, referenceOf } from "../others/other-runs";
import { planStep, type StepPlan } from "../steps/step-plan";
import { planApproval, planEventWait, type WaitPlan } from "../waits/wait-plan";
import { recordedBy } from "./recorded";
import type { StepCalls } from "./step-calls";

type AnyBody = (body: StepBody) => unknown;
type AnyTransactionBody = (client: unknown, body: StepBody) => Promise<unknown>;
export type Until = { inMs: number } | { at: string };

/** The handler of a step call: a pass executes it, a search for compensations only looks it up. */
export interface Performer {
  readonly services: AppServices;
  readonly begunPages: BegunPages;
  step(plan: StepPlan, body: AnyBody): Promise<unknown>;
  transaction(plan: StepPlan, client: "app" | "pg", body: AnyTransactionBody): Promise<unknown>;
  sleep(plan: StepPlan, until: Until): Promise<void>;
  checkpoint(): Promise<void>;
  wait(plan: StepPlan, wait: WaitPlan): Promise<unknown>;
  child(plan: StepPlan, child: ChildPlan): Promise<unknown>;
  other(plan: StepPlan, write: OtherWrite): Promise<unknown>;
  /** Before the pages of a map. */
  map?(map: MapPlan): void;
  log(message: string, data: unknown, level?: LogLevel): void;
  progress(progress: Progress): void;
}

/** The author's view of a pass: checks names, fills in options, and accepts each name once. */
export function createContext(run: ClaimedRun, workflow: Workflow, performer: Performer, calls: StepCalls): Context {
  const names = new MetNames();
  const plan = (name: string, kind: StepKind, options: StepOptions<never>): StepPlan => {
    const planned = planStep(name, kind, options, workflow.retry);
    names.meet(name);
    return planned;
  };
  const ask = calls.ask.bind(calls);
  const child = (name: string, given: Omit<ChildPlan, "timeoutMs">) =>
    ask(name, () => performer.child(plan(name, "child", undoOf(given.options)), planChild(name, given)));
  const step = (name: string, body: AnyBody, options: StepOptions<never> = {}) =>
    ask(name, () => performer.step(plan(name, "step", options), checkedBody(name, body)));
  return {
    run: factsOf(run),
    services: performer.services,
    step,
    ...recordedBy(step as Context["step"]),
    transaction: (name: string, body: AnyTransactionBody, options: TransactionOptions<never> = {}) =>
      ask(name, () =>
        performer.transaction(plan(name, "transaction", options), options.client ?? "app", checkedBody(name, body)),
      ),
    sleep: (name: string, duration: Duration) =>
      ask(name, () => performer.sleep(plan(name, "sleep", {}), { inMs: toMilliseconds(duration) })),
    sleepUntil: (name: string, instant: Date) =>
      ask(name, () => performer.sleep(plan(name, "sleep", {}), { at: isoInstant(name, instant) })),
    checkpoint: () => calls.refusing("ctx.checkpoint()", () => performer.checkpoint()),
    waitForEvent: (name: string, options: Parameters<typeof planEventWait>[1]) =>
      ask(name, () => performer.wait(plan(name, "event", {}), planEventWait(name, options))),
    approval: (name: string, options: Parameters<typeof planApproval>[1]) =>
      ask(name, () => performer.wait(plan(name, "approval", {}), planApproval(name, options))),
    child: (name: string, workflow: Workflow, input: unknown, options: AwaitedChildOptions = {}) =>
      child(name, { workflow, input, awaited: true, options }),
    startChild: (name: string, workflow: Workflow, input: unknown, options: AwaitedChildOptions = {}) =>
      child(name, { workflow, input, awaited: false, options }),
    publish: (name: string, value: unknown) =>
      ask(name, () => performer.step(plan(name, "publish", {}), () => value).then(() => undefined)),
    mapSteps: (...[items, name, body, options]: Parameters<typeof planMap>) =>
      ask(name, async () => {
        const map = planMap(items, name, body, options);
        planStep(name, "step", map.step, workflow.retry);
        performer.map?.(map);
        return mapInPages(
          map,
          performer.begunPages,
          (input) => {
            const page = { of: name, number: input.page, collects: map.onError === "collect" };
            const onFailure = map.onError === "wait" ? "wait" : "throw";
            const given = { workflow, input, awaited: true, options: { onFailure }, page } as const;
            const step = stepOfPage(name, page.number);
            return ask(step, () =>
              performer.child(plan(step, "child", {}), { ...given, timeoutMs: null }),
            ) as Promise<PageOutput>;
          },
          (done, total) => performer.progress(checkProgress(done, total, name)),
        );
      }),
    ...otherRuns((name, write) =>
      ask(name, () => performer.other(plan(name, write.kind, { reference: () => referenceOf(write) }), write)),
    ),
    log: (message: string, data?: unknown, level?: LogLevel) => performer.log(message, data, level),
    progress: (done: number, total: number, note?: string) => performer.progress(checkProgress(done, total, note)),
  } as Context;
}

function checkedBody<Body>(name: string, body: Body): Body {
  checkIsFunction(body, `The body of step "${name}"`);
  return body;
}

const undoOf = ({ compensate, instructions }: AwaitedChildOptions): StepOptions<never> => ({
  ...(compensate !== undefined && { compensate: compensate as "manual" }),
  ...(instructions !== undefined && { instructions: instructions as string }),
});

// Years that the database parses as written.
const FIRST_INSTANT = Date.parse("0001-01-01T00:00:00Z");
const LAST_INSTANT = Date.parse("9999-12-31T23:59:59Z");

function isoInstant(name: string, instant: Date): string {
  if (instant instanceof Date && instant.getTime() >= FIRST_INSTANT && instant.getTime() <= LAST_INSTANT)
    return instant.toISOString();
  throw new HandrailError("invalid_value", `sleepUntil("${name}", …) needs a valid Date, in the years 1 to 9999.`);
}

export function factsOf(run: ClaimedRun): RunFactsForAuthors {
  const { id, workflow, version, generation, createdAt, scheduledAt, tags } = run;
  return { id, workflow, version, generation, createdAt, scheduledAt, tags: tags ?? {}, headers: headersOf(run) };
}

const NONE: Headers = Object.freeze({});

/** Frozen: every body of the run, and what it starts, has the same ones. */
export const headersOf = ({ headers }: Pick<ClaimedRun, "headers">): Headers =>
  headers === null ? NONE : Object.freeze(headers);

/** The names of one pass. A repeated name would silently give the first step's outcome to the second. */
class MetNames {
  private readonly ordinals = new Map<string, number>();

  /** @throws HandrailError `duplicate_step` with the place of the second */
  meet(name: string): void {
    const earlier = this.ordinals.get(name);
    if (earlier === undefined) return void this.ordinals.set(name, this.ordinals.size + 1);
    throw new HandrailError(
      "duplicate_step",
      `Two steps of one pass are named "${name}": its step no. ${earlier} and the one requested ${authorsLine()}. ` +
        `A step is known by its name: make it unique, for instance from the item, such as \`${name}:\${item.id}\`.`,
      { step: name },
    );
  }
}

function authorsLine(): string {
  const frames = (new Error().stack ?? "").split("\n").slice(1);
  const authors = frames.find(
    (frame) => !/[\\/]lib[\\/]worker[\\/]\w+[\\/](context|step-calls|promises|recorded|other-runs)\./.test(frame),
  );
  return authors?.trim() ?? "at an unknown place";
}
