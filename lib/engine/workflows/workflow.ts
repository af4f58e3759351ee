import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Duration } from "../duration";
import { HandrailError } from "../errors";
import type { Answer, ApprovalOptions } from "../events/approval";
import { checkEventName, type EventDefinition, nameOf } from "../events/event";
import { checkFourEyes, type FourEyesAct } from "../operations/four-eyes";
import { checkMaskedPaths } from "../privacy/mask";
import { defineQueueing, type Queueing, type QueueOptions } from "../queues/queue";
import { checkRetention, type Retention } from "../runs/retention";
import { DEFAULT_RETRY, type RetryPolicy, withRetryDefaults } from "../steps/retry-policy";
import type { Effect } from "../steps/step";
import { isReserved, OWN_WORKFLOWS } from "./own-workflows";
import type { RemoteDefinition } from "./remote-definition";

/**
 * An app declares its own transaction client and services here, so that `ctx.transaction` and `ctx.services` hand them over
 * typed: `declare module "…/engine/workflow" { interface Register { transaction: Prisma.TransactionClient; services: Services } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Register {}

/** A plain `pg` client inside a transaction. Never commit or roll back on it: the engine does, together with the checkpoint. */
export interface PgTransaction {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}
export type AppTransaction = Register extends { transaction: infer Client } ? Client : PgTransaction;

/** What the app's workflows reach the world by: whatever it declares, set where a worker starts, replaced in tests. */
export type AppServices = Register extends { services: infer Services } ? Services : Readonly<Record<string, unknown>>;

/** What a step's body is handed. */
export interface StepBody {
  /** Hand it to the receiver: the same for every automatic attempt, also after a crash. */
  idempotencyKey: string;
  /** Aborts on timeout, cancel, shutdown and a lost claim. */
  signal: AbortSignal;
  /** From 1 on, counted per repair generation. */
  attempt: number;
  /** Keeps a line beside this attempt: 2,000 characters, 4 KiB of data. Never throws, waits for nothing. */
  log(message: string, data?: unknown): void;
}

export interface UndoBody extends StepBody {
  /** The app's transaction client, only in the undo of a transactional step: its writes commit together with the undo's record. */
  tx: AppTransaction;
}

/** The receiver's answer to "what became of this key?". */
export type Reconciliation<Output> = { happened: true; output: Output } | { happened: false };

export interface StepOptions<Output> {
  /** Default `"idempotent"`. */
  effect?: Effect;
  /** Over the workflow's policy. A step with effect `"once"` is tried once unless it says otherwise here. */
  retry?: Partial<RetryPolicy>;
  /** Longest time one attempt may take, in milliseconds, counted from the start of its body. Default: none. */
  timeoutMs?: number;
  /** The receiver's own id for what happened, such as a charge's; shown to operators. */
  reference?: (output: Output) => string | undefined;
  /** Undo of the completed step: code, or `"manual"` for a person who follows `instructions`. */
  compensate?: ((output: Output, body: UndoBody) => unknown) | "manual";
  /** What a person has to do to undo this step by hand. */
  instructions?: string | ((output: Output) => string);
  /** Asks the receiver what became of a key whose outcome nobody recorded. Called before a person is asked. */
  reconcile?: (body: Pick<StepBody, "idempotencyKey" | "signal">) => Promise<Reconciliation<Output>>;
}

export type TransactionOptions<Output> = Omit<StepOptions<Output>, "effect" | "reconcile"> & {
  /** `"app"`: the app's registered client (default). `"pg"`: a plain `pg` client. */
  client?: "app" | "pg";
};

export interface ChildOptions<Output = unknown> {
  /** Added to the child workflow's own tags; 16 in all. */
  tags?: Record<string, string>;
  /** Higher goes first within its workflow; -100 to 100. Default 0. */
  priority?: number;
  /** What a cancel of this run does to the child: `"cancel"` (default for `child`) or `"leave"` (default for `startChild`). */
  onCancel?: "cancel" | "leave";
  /** Undo of the step, as of any other; a failed run's children are not undone by themselves. */
  compensate?: StepOptions<Output>["compensate"];
  instructions?: StepOptions<Output>["instructions"];
}

export interface AwaitedChildOptions<Output = unknown> extends ChildOptions<Output> {
  /**
   * What a failure of the child does: `"throw"` fails the step (default); `"wait"` leaves this run waiting until a person has
   * brought the child to another end, for instance by its rerun.
   */
  onFailure?: "throw" | "wait";
}

export interface RunFactsForAuthors {
  id: string;
  workflow: string;
  version: number;
  /** Rises with every rerun by an operator, from 1 on. */
  generation: number;
  createdAt: Date;
  /** The nominal time of the schedule that started it; null for a run that no schedule started. */
  scheduledAt: Date | null;
  tags: Readonly<Record<string, string>>;
}

export interface EventWaitOptions<Schema extends StandardSchemaV1, Otherwise> {
  /** Sent to this run by this name. With a definition, the payload is checked by its schema. */
  event: string | EventDefinition<Schema>;
  /** Also those sent to this business key. Of several runs that wait for one key, each event goes to one: the first that waited. */
  key?: string;
  /** Checks the payload of an event given by its name alone; one that does not fit fails the step with `invalid_input`. */
  schema?: Schema;
  /** Longest wait, counted from its first pass by the database's clock. Default: none. */
  timeout?: Duration;
  /** What comes back when the time is up. Without it, the step fails with `wait_timed_out`. */
  default?: Otherwise;
}

/** The same, whatever it waits for. */
export type AnyEventWaitOptions = EventWaitOptions<StandardSchemaV1, unknown>;

/** What a workflow's code does its work with. Everything else it does must be deterministic: it runs again on every claim. */
export interface Context {
  readonly run: RunFactsForAuthors;
  /** The app's own, as the worker was given them. Call them in bodies: what they do is kept by steps alone. */
  readonly services: AppServices;
  /**
   * Runs `body` and keeps its outcome under `name`; once kept, the body does not run again.
   * @throws what the body threw, when its attempts are used up; `duplicate_step` for a name met before in this pass;
   *   `nested_call` inside another step's body. A step that nobody awaits fails the run with `not_awaited`.
   */
  step<Output>(
    name: string,
    body: (body: StepBody) => Output | Promise<Output>,
    options?: StepOptions<Output>,
  ): Promise<Output>;
  /**
   * A step whose writes to the app's own database commit together with its checkpoint, once.
   * @throws as `step`; `transaction_ended` for a body that commits or rolls back by itself; `transaction_aborted` for one that caught
   *   an error which aborted its transaction
   */
  transaction<Output>(
    name: string,
    body: (tx: PgTransaction, body: StepBody) => Promise<Output>,
    options: TransactionOptions<Output> & { client: "pg" },
  ): Promise<Output>;
  transaction<Output>(
    name: string,
    body: (tx: AppTransaction, body: StepBody) => Promise<Output>,
    options?: TransactionOptions<Output>,
  ): Promise<Output>;
  /** Frees the worker for `duration`, by the database's clock. Survives restarts. */
  sleep(name: string, duration: Duration): Promise<void>;
  sleepUntil(name: string, instant: Date): Promise<void>;
  /**
   * For long loops without steps: lets the process breathe, and is where a cancel, a shutdown or a lost claim takes effect.
   * The code then goes no further in this pass. Nothing is recorded, so the loop begins again on the next claim.
   */
  checkpoint(): Promise<void>;
  /**
   * Frees the worker until an event comes, and gives its payload. An event that came before is kept and taken at once, the
   * oldest first; each is taken once.
   * @throws `wait_timed_out` after `timeout` without a `default`; `invalid_input` for a payload that does not fit
   */
  waitForEvent<Schema extends StandardSchemaV1 = StandardSchemaV1<unknown, unknown>, Otherwise = never>(
    name: string,
    options: EventWaitOptions<Schema, Otherwise>,
  ): Promise<StandardSchemaV1.InferOutput<Schema> | Otherwise>;
  /** Frees the worker until a person has answered. @throws `wait_timed_out` after `timeout` without a `default` */
  approval<const Choice extends string = "approve" | "reject">(
    name: string,
    options: ApprovalOptions<Choice>,
  ): Promise<Answer<Choice>>;
  /**
   * Starts a run of `workflow`, once, and waits for its end; this run's worker is free meanwhile. Many at once, by
   * `Promise.all`, are started together.
   * @throws HandrailError `child_failed`, with the child's error as its cause, when it failed or was cancelled or compensated;
   *   `invalid_input` when the input does not fit
   */
  child<Schema extends StandardSchemaV1, Output>(
    name: string,
    workflow: TypedWorkflow<Schema, Output>,
    input: StandardSchemaV1.InferInput<Schema>,
    options?: AwaitedChildOptions<Output>,
  ): Promise<Output>;
  /** Starts a run of `workflow`, once, and goes on. Gives the id of the child's run. */
  startChild<Schema extends StandardSchemaV1, Output>(
    name: string,
    workflow: TypedWorkflow<Schema, Output>,
    input: StandardSchemaV1.InferInput<Schema>,
    options?: ChildOptions<string>,
  ): Promise<string>;
  /**
   * Keeps a line of the run, said between its steps; in a body, call the body's own `log`. Kept once, however often the code
   * runs again. Never throws, waits for nothing.
   */
  log(message: string, data?: unknown): void;
  /**
   * How far the run has come, for people: a bar in lists and on its page. Written every half second at most, the last one
   * always. @throws HandrailError `invalid_value` unless `done` is from 0 on and `total` more than 0
   */
  progress(done: number, total: number, note?: string): void;
}

export interface WorkflowOptions<Schema extends StandardSchemaV1>
  extends QueueOptions<StandardSchemaV1.InferOutput<Schema>> {
  /** Lower-case letters, digits and `-`, `_`, `.`; 100 characters at most. */
  name: string;
  /** Raise it when the steps change. Default 1. */
  version?: number;
  /** For people. Default: the name. */
  title?: string;
  /** Any Standard Schema (zod, valibot, arktype…). */
  input: Schema;
  /** Business keys by which people find the run. Values of 256 characters at most. */
  tags?: (input: StandardSchemaV1.InferOutput<Schema>) => Record<string, string>;
  /**
   * What people are not shown of its runs, by paths into inputs, outputs, events and logs: `["card.number", "email"]`. A path is
   * the end of a way of keys, at any depth; `*` is any one key. `docs/privacy.md` has the rest.
   */
  masked?: readonly string[];
  /** Default policy of its steps. */
  retry?: Partial<RetryPolicy>;
  /** Longest time from start to end, in milliseconds, counted from the first claim on. Default: none. */
  timeoutMs?: number;
  /**
   * What happens when this code no longer comes to a step that a run has done: `"stop"` fails the run before anything else
   * runs (default), `"go_on"` lets it go on. Either way the run names what was left out.
   */
  drift?: "stop" | "go_on";
  /** What happens when the run fails: `"stop"` waits for a person (default), `"compensate"` undoes what was done. */
  onFailure?: "stop" | "compensate";
  /**
   * Acts of operators on its runs that take a second person, such as `["waive", "rerun_with_fresh_keys"]`: each goes through a plan
   * that somebody else approves. Nobody but the code can take this back. Default: none.
   */
  fourEyes?: readonly FourEyesAct[];
  /** For how long ended runs are kept. Default: as HANDRAIL_KEEP_DAYS says, and without that for ever. */
  retention?: Retention;
  /** Every event of this name, unless it is sent to one run, starts a run, once; its payload is the run's input. */
  on?: string | EventDefinition;
  /** Events that its runs wait for: those that come over HTTP are checked by these before anything is written. */
  events?: readonly EventDefinition[];
}

export interface Workflow {
  readonly name: string;
  readonly version: number;
  readonly title: string;
  readonly input: StandardSchemaV1;
  readonly tags: (input: unknown) => Record<string, string>;
  readonly masked: readonly string[];
  readonly retry: RetryPolicy;
  readonly timeoutMs: number | undefined;
  readonly drift: "stop" | "go_on";
  readonly onFailure: "stop" | "compensate";
  readonly fourEyes: readonly FourEyesAct[];
  readonly retention: Retention | undefined;
  /** Undefined: its runs stand in no queue, and are claimed as soon as a worker has room. */
  readonly queueing: Queueing | undefined;
  /** Name of the event that each starts a run. */
  readonly on: string | null;
  readonly events: readonly EventDefinition[];
  readonly handler: (ctx: Context, input: unknown) => Promise<unknown>;
  /** What its worker has told of it, when its steps are code in another language. */
  readonly remote?: RemoteDefinition;
}

/** A workflow that knows the types of its input, for `startRun`. */
export interface TypedWorkflow<Schema extends StandardSchemaV1, Output> extends Workflow {
  readonly input: Schema;
  /** Types only; never set. */
  readonly _output?: Output;
}

/** Of a definition or a registration that is not Handrail's own. */
export const reservedName = (name: string) =>
  new HandrailError(
    "invalid_workflow",
    `"${name}" cannot name a workflow: names that begin with "handrail." are Handrail's own. Use another one, such as "${name.slice("handrail.".length) || "orders"}".`,
  );

const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** @throws HandrailError `invalid_workflow` that says what to write instead */
export function defineWorkflow<Schema extends StandardSchemaV1, Output>(
  options: WorkflowOptions<Schema>,
  handler: (ctx: Context, input: StandardSchemaV1.InferOutput<Schema>) => Promise<Output>,
): TypedWorkflow<Schema, Output> {
  const { name, version = 1, title = name, input, tags = () => ({}), timeoutMs } = options;
  const { drift = "stop", onFailure = "stop", on, events = [] } = options;
  if (!NAME.test(name))
    throw new HandrailError(
      "invalid_workflow",
      `"${name}" cannot name a workflow. Use lower-case letters, digits, "-", "_" and ".", such as "order-fulfilment".`,
    );
  if (isReserved(name) && !OWN_WORKFLOWS.includes(name)) throw reservedName(name);
  if (!Number.isInteger(version) || version < 1)
    throw new HandrailError("invalid_workflow", `The version of workflow "${name}" must be a whole number from 1 on.`);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new HandrailError("invalid_workflow", `timeoutMs of workflow "${name}" must be more than 0 milliseconds.`);
  if (on !== undefined) checkEventName(nameOf(on), "invalid_workflow");
  return {
    name,
    version,
    title,
    input,
    tags: tags as Workflow["tags"],
    masked: checkMaskedPaths(name, options.masked ?? []),
    retry: withRetryDefaults(DEFAULT_RETRY, options.retry),
    timeoutMs,
    drift,
    onFailure,
    fourEyes: checkFourEyes(name, options.fourEyes ?? []),
    retention: options.retention && checkRetention(name, options.retention),
    queueing: defineQueueing(name, options),
    on: on === undefined ? null : nameOf(on),
    events: typeof on === "object" ? [on, ...events] : events,
    handler: handler as Workflow["handler"],
  };
}
