import { type AnswerOf, ApiError, newIdempotencyKey, type RequestOf } from "../api/client/client";
import { HandrailError } from "../engine/errors";
import { isOutcomeUnknown } from "../engine/steps/outcome-unknown-error";
import { isNonRetryable } from "../engine/steps/retry-policy";
import { deserializeError, serializeError } from "../engine/values/serialized-error";
import type { Claimed } from "./claimed";
import type { HttpAnswer, HttpContext, HttpStepBody, HttpStepOptions } from "./http-context";
import { compensationOf, shownText, verdictOf } from "./http-undo";
import { sendOutcome } from "./refused";
import { fromJson, toJson } from "./values";

const ATTEMPTS = "/v1/worker/runs/{runId}/steps/{step}/attempts";
const OUTCOME = "/v1/worker/runs/{runId}/steps/{step}/outcome";

type Attempt = RequestOf<"POST", typeof ATTEMPTS>;
/** Distributes over the kinds. */
type Declared = Attempt extends infer Kind ? (Kind extends unknown ? Omit<Kind, "epoch"> : never) : never;
type Permission = AnswerOf<"POST", typeof ATTEMPTS>;
type Standing = AnswerOf<"POST", typeof OUTCOME>;
type Outcome = RequestOf<"POST", typeof OUTCOME>;
/** An outcome without its attempt. */
type Recorded = Outcome extends infer Kind ? (Kind extends unknown ? Omit<Kind, "epoch" | "attempt"> : never) : never;
/** The answer to a call that has to end here: the run stops, or is no longer ours. */
interface Stop {
  next: "stop";
}
const STOP: Stop = { next: "stop" };

const NEVER = new Promise<never>(() => undefined);

/** One execution of a workflow's code: each of its calls is asked about, and each that has to wait ends its branch here. */
export class HttpPass {
  readonly context: HttpContext;
  /** Resolves when every branch of the code waits; fails when the API refuses a question or an outcome. */
  readonly suspended: Promise<undefined>;
  private readonly met = new Set<string>();
  private readonly failures = new WeakMap<object, string>();
  private readonly waits: { step: string; inMs: number | null }[] = [];
  /** Calls of the code that have no answer yet. */
  private readonly active = new Set<Promise<unknown>>();
  private closed = false;
  private suspend: () => void = () => undefined;
  private refuse: (error: unknown) => void = () => undefined;

  constructor(private readonly claimed: Claimed) {
    this.suspended = new Promise((done, fail) => {
      this.suspend = () => done(undefined);
      this.refuse = fail;
    });
    this.context = this.contextOf();
  }

  /**
   * From here on no call of the code begins anything. Resolves once those under way are recorded, so that a compensation misses
   * none of them; gives how many there were.
   */
  async close(): Promise<number> {
    this.closed = true;
    const underWay = [...this.active];
    await Promise.allSettled(underWay);
    return underWay.length;
  }

  /** What a hand-back says: the steps that wait, and when the first of them is due. */
  get rest(): { waitsFor: string[]; inMs?: number } {
    const due = this.waits.flatMap(({ inMs }) => (inMs === null ? [] : [inMs]));
    return { waitsFor: this.waits.map(({ step }) => step), ...(due.length > 0 && { inMs: Math.min(...due) }) };
  }

  /** The step that threw this error, if one did. */
  failedStep(error: unknown): { failedStep?: string } {
    const step = typeof error === "object" && error !== null ? this.failures.get(error) : undefined;
    return step === undefined ? {} : { failedStep: step };
  }

  private contextOf(): HttpContext {
    const { secret: _secret, input: _input, ...run } = this.claimed.run;
    return {
      run,
      step: (name, body, options = {}) => this.call(name, () => this.step(name, body, options)),
      sleep: (name, forMs) => this.call(name, () => this.ask(name, { kind: "sleep", forMs })),
      sleepUntil: (name, instant) =>
        this.call(name, () => this.ask(name, { kind: "sleep", until: instant.toISOString() })),
      waitForEvent: <Payload>(name: string, options: Parameters<HttpContext["waitForEvent"]>[1]) =>
        this.call<Payload>(name, () => this.ask(name, { kind: "event", ...encoded(options, "default") })),
      approval: (name, options) =>
        this.call<HttpAnswer>(name, () => this.ask(name, { kind: "approval", ...encoded(options, "data") })),
    };
  }

  /** A call of the code: its kept outcome, or the end of this branch for this pass. */
  private async call<Output>(name: string, ask: () => Promise<Permission | Standing | Stop>): Promise<Output> {
    if (this.met.has(name))
      throw new HandrailError("duplicate_step", `The step "${name}" is met twice: make its name from the item.`);
    this.met.add(name);
    const answer = await this.answerTo(ask);
    if (answer.next === "completed") return fromJson(answer.output) as Output;
    if (answer.next === "failed") {
      const error = deserializeError(answer.error);
      this.failures.set(error, name);
      throw error;
    }
    if (answer.next === "wait") this.waits.push({ step: name, inMs: answer.inMs });
    // In a task by itself: another branch may go on first.
    setTimeout(() => this.active.size === 0 && this.suspend(), 0);
    return NEVER;
  }

  private async answerTo(ask: () => Promise<Permission | Standing | Stop>): Promise<Permission | Standing | Stop> {
    if (this.closed) return NEVER;
    const asked = this.claimed.stopping.aborted ? Promise.resolve(STOP) : ask();
    this.active.add(asked);
    try {
      const answer = await asked;
      return this.closed ? NEVER : answer;
    } catch (error) {
      // A refusal ends the pass: the code must not catch it and go on.
      if (!(error instanceof ApiError)) throw error;
      this.refuse(error);
      return NEVER;
    } finally {
      this.active.delete(asked);
    }
  }

  private ask(step: string, declared: Declared): Promise<Permission> {
    const { run, client } = this.claimed;
    const isOnce = declared.kind === "step" && declared.effect === "once";
    return client.post(
      ATTEMPTS,
      { runId: run.id, step },
      { request: { epoch: run.epoch, ...declared } as Attempt, ...(isOnce && { idempotencyKey: newIdempotencyKey() }) },
    );
  }

  private async step<Output>(
    name: string,
    body: (body: HttpStepBody) => Output | Promise<Output>,
    options: HttpStepOptions<Output>,
  ): Promise<Permission | Standing | Stop> {
    const { reference: _reference, instructions, ...declared } = options;
    const compensation = compensationOf(name, instructions, this.claimed.definition.undos);
    const answer = await this.ask(name, { kind: "step", ...declared, ...compensation });
    if (answer.next !== "go") return answer;
    const { run, client, holder, signal } = this.claimed;
    if (!holder.owns()) return STOP;
    const { attempt, idempotencyKey } = answer;
    const record = (outcome: Recorded, mayHaveHappened: boolean) =>
      sendOutcome(
        `step "${name}"`,
        (request) => client.post(OUTCOME, { runId: run.id, step: name }, { request }),
        { epoch: run.epoch, attempt },
        outcome,
        { retryable: false, mayHaveHappened },
      );
    let output: Output;
    try {
      output = await body({ idempotencyKey, attempt, signal });
    } catch (error) {
      // Interrupted: as if its worker was lost. A definite no counts all the same.
      if (signal.aborted && !isNonRetryable(error)) return STOP;
      const mayHaveHappened = isOutcomeUnknown(error);
      return record({ ...failureOf(error, options), mayHaveHappened }, mayHaveHappened);
    }
    return record(outcomeOf(name, output, options, compensation), options.effect === "once");
  }
}

function outcomeOf<Output>(
  name: string,
  output: Output,
  options: HttpStepOptions<Output>,
  compensation: ReturnType<typeof compensationOf>,
): Recorded {
  const { reference, effect } = options;
  try {
    const found = referenceOf(output, reference);
    return {
      outcome: "completed",
      output: toJson(output, `output of step "${name}"`),
      ...(found && { reference: found }),
      ...compensation,
    };
  } catch (error) {
    // Its effect is there, and what it returned cannot be kept.
    return { ...failureOf(error, options), retryable: false, mayHaveHappened: effect === "once" };
  }
}

function referenceOf<Output>(output: Output, reference: HttpStepOptions<Output>["reference"]): string | undefined {
  try {
    return shownText(reference?.(output), 500);
  } catch {
    // The step has had its effect.
    return undefined;
  }
}

const failureOf = (error: unknown, { retry = {} }: Pick<HttpStepOptions<unknown>, "retry">) => {
  const { maxAttempts: _, ...delays } = retry;
  return { outcome: "failed" as const, error: serializeError(error), retry: delays, ...verdictOf(error) };
};

/** The options with one of them, if it is given, as JSON. */
function encoded<Options extends object, Name extends keyof Options & string>(options: Options, name: Name) {
  const { [name]: value, ...rest } = options;
  return (value === undefined ? rest : { ...rest, [name]: toJson(value, name) }) as Omit<Options, Name> & {
    [Field in Name]?: ReturnType<typeof toJson>;
  };
}
