import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type Duration, LONGEST_MS } from "../duration";
import { HandrailError } from "../errors";
import type { Answer, ApprovalOptions } from "../events/approval";
import type { EventDefinition } from "../events/event";
import { checkFourEyes, type FourEyesAct } from "../operations/four-eyes";
import { checkMaskedPaths } from "../privacy/mask";
import { checkCount, defineQueueing, type Queueing, type QueueOptions } from "../queues/queue";
import { defineSingleton, type OneAtATime, type Singleton } from "../queues/singleton";
import { defineThrottle, type Throttle, type Throttling } from "../queues/throttle";
import type { Headers } from "../runs/headers";
import type { CaptureLogs, LogLevel } from "../runs/log";
import { checkRetention, type Retention } from "../runs/retention";
import { DEFAULT_RETRY, type RetryPolicy, withRetryDefaults } from "../steps/retry-policy";
import { type BeginningEvent, beginningOf } from "./beginning-event";
import type { AwaitedChildOptions, ChildOptions, EventWaitOptions } from "./call-options";
import { checkIsFunction, checkIsSchema } from "./given-code";
import type { MapsSteps } from "./map-steps";
import type { OtherRuns } from "./other-runs";
import { isReserved, OWN_WORKFLOWS } from "./own-workflows";
import type { Recorded } from "./recorded";
import type { Services } from "./register";
import type { RemoteDefinition } from "./remote-definition";
import type { AppTransaction, PgTransaction, StepBody, StepOptions, TransactionOptions } from "./step-options";
import { checkWorkflowName } from "./workflow-name";

// As it is written, an app that extends these interfaces of its package extends those of this module.
export * from "./register";

/** The app's clients of providers: as declared, set where a worker starts, replaced in tests. */
export type AppServices = keyof Services extends never ? Readonly<Record<string, unknown>> : Services;

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
  /** Of its start or, with what was added, of the run that started it. Empty without. */
  headers: Headers;
}

/** The API of a workflow's code. All other code must be deterministic: it runs again on every claim. */
export interface Context extends Recorded, OtherRuns, MapsSteps {
  readonly run: RunFactsForAuthors;
  /** The app's services, as given to the worker. Call them in bodies: only steps record their results. */
  readonly services: AppServices;
  /**
   * Runs `body` and keeps its outcome under `name`; once kept, the body does not run again.
   * @throws what the body threw, once its retries are exhausted; `duplicate_step` for a name already used in this pass;
   * `nested_call` inside another step's body. A step that is not awaited fails the run with `not_awaited`.
   */
  step<Output>(
    name: string,
    body: (body: StepBody) => Output | Promise<Output>,
    options?: StepOptions<Output>,
  ): Promise<Output>;
  /**
   * A step whose writes to the app's own database commit together with its checkpoint, once.
   * @throws as `step`; `transaction_ended` for a body that commits or rolls back by itself; `transaction_aborted` for
   * one that caught an error which aborted its transaction
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
   * For long loops without steps: yields to the event loop, and is where a cancel, a shutdown or a lost claim takes
   * effect. The code then goes no further in this pass. Nothing is recorded: the next claim begins the loop again.
   */
  checkpoint(): Promise<void>;
  /**
   * Frees the worker until an event comes, and returns its payload. An earlier event is kept and taken at once, the
   * oldest first; each is taken once.
   * @throws `wait_timed_out` after `timeout` without a `default`; `invalid_input` for an invalid payload
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
   * Starts a run of `workflow`, once, and waits for its end; this run's worker is free meanwhile. Children in one
   * `Promise.all` are started together.
   * @throws HandrailError `child_failed`, with the child's error as its cause, if it failed or was cancelled or
   * compensated; `child_timed_out` after `timeout`, which cancels it; `invalid_input` for an invalid input
   */
  child<Schema extends StandardSchemaV1, Output>(
    name: string,
    workflow: TypedWorkflow<Schema, Output>,
    input: StandardSchemaV1.InferInput<Schema>,
    options?: AwaitedChildOptions<Output>,
  ): Promise<Output>;
  /** Starts a run of `workflow`, once, without waiting. Returns the id of the child's run. */
  startChild<Schema extends StandardSchemaV1, Output>(
    name: string,
    workflow: TypedWorkflow<Schema, Output>,
    input: StandardSchemaV1.InferInput<Schema>,
    options?: ChildOptions<string>,
  ): Promise<string>;
  /**
   * Publishes a value for those who wait for it outside, with `handrail.run(id).published(name)`, while the run goes on. Once: a
   * name is a step's, and a second `publish` of it fails with `duplicate_step`.
   */
  publish(name: string, value: unknown): Promise<void>;
  /**
   * Records a line of the run between its steps; in a body, call the body's own `log`. Recorded once, however often the
   * code runs again. `level`: default `"info"`. Never throws, does not wait.
   */
  log(message: string, data?: unknown, level?: LogLevel): void;
  /**
   * The progress of the run, shown as a bar in lists and on its page. Written every half second at most, the last one
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
  /** Display name. Default: the name. */
  title?: string;
  /** At most one live run, in all or per key. Default: any number. */
  singleton?: Singleton<StandardSchemaV1.InferOutput<Schema>>;
  /** Starts beyond this many in a period are refused with `throttled`. Default: none. */
  throttle?: Throttle<StandardSchemaV1.InferOutput<Schema>>;
  /** Any Standard Schema (zod, valibot, arktype…). */
  input: Schema;
  /** Business keys to find the run by. Values of 256 characters at most. */
  tags?: (input: StandardSchemaV1.InferOutput<Schema>) => Record<string, string>;
  /**
   * What people call a run: `({ orderId }) => \`Order ${orderId}\``. One line; 120 characters, a longer one is cut. Masked values
   * are left out of it. Default: its idempotency key or a tag.
   */
  runTitle?: (input: StandardSchemaV1.InferOutput<Schema>) => string | undefined;
  /**
   * The masked parts of its runs, as paths into inputs, outputs, events and logs: `["card.number", "email"]`. A path
   * matches the end of a sequence of keys, at any depth; `*` is any one key. Details: `docs/privacy.md`.
   */
  masked?: readonly string[];
  /**
   * Names of `tags` that are masked and by whose whole value everyone who may search runs finds a run, such as `["email"]`: stored under
   * a key (HANDRAIL_PAYLOAD_KEYS), shown to nobody. Default: masked tags are found by people with `payload.read` alone.
   */
  searchable?: readonly string[];
  /** What the bodies of its steps log elsewhere is kept with the run, too. Default: as the worker says, or else nothing. */
  captureLogs?: CaptureLogs | false;
  /** Default policy of its steps. */
  retry?: Partial<RetryPolicy>;
  /** Longest time from start to end, in milliseconds, counted from the first claim on. Default: none. */
  timeoutMs?: number;
  /**
   * What happens if this code no longer reaches a step that a run has done: `"stop"` fails the run before anything else
   * runs (default), `"go_on"` lets it go on. Either way the run lists the missing steps.
   */
  drift?: "stop" | "go_on";
  /**
   * What a failure of the run does: `"stop"` waits for a person (default), `"compensate"` compensates completed steps.
   */
  onFailure?: "stop" | "compensate";
  /**
   * Operators' actions on its runs that require a second person, such as `["waive", "rerun_with_fresh_keys"]`: each
   * needs a plan that another person approves. Only code can change this. Default: none.
   */
  fourEyes?: readonly FourEyesAct[];
  /** How long ended runs are kept. Default: HANDRAIL_KEEP_DAYS, or else forever. */
  retention?: Retention;
  /**
   * Every event of this name, unless it is sent to one run, starts a run, once; its payload is the run's input. With `where`,
   * those whose payload fits (docs/events-and-approvals.md).
   */
  on?: string | EventDefinition | BeginningEvent<StandardSchemaV1.InferInput<Schema>>;
  /** Events that its runs wait for: payloads that come over HTTP are validated by these before anything is written. */
  events?: readonly EventDefinition[];
}

export interface Workflow {
  readonly name: string;
  readonly version: number;
  readonly title: string;
  readonly input: StandardSchemaV1;
  readonly tags: (input: unknown) => Record<string, string>;
  readonly runTitle: ((input: unknown) => string | undefined) | undefined;
  readonly masked: readonly string[];
  readonly searchable: readonly string[];
  /** Undefined: as the worker says. */
  readonly captureLogs: CaptureLogs | false | undefined;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number | undefined;
  readonly drift: "stop" | "go_on";
  readonly onFailure: "stop" | "compensate";
  readonly fourEyes: readonly FourEyesAct[];
  readonly retention: Retention | undefined;
  /** Undefined: its runs are not queued, and are claimed as soon as a worker has room. */
  readonly queueing: Queueing | undefined;
  readonly singleton: OneAtATime | undefined;
  readonly throttle: Throttling | undefined;
  /** Name of the event that starts a run. */
  readonly on: string | null;
  /** As `planFilter` writes it; null: every event of this name. */
  readonly onFilter: string | null;
  readonly events: readonly EventDefinition[];
  readonly handler: (ctx: Context, input: unknown) => Promise<unknown>;
  /** As reported by its worker, if its steps are code in another language. */
  readonly remote?: RemoteDefinition;
}

/** A workflow with the types of its input, for `startRun`. */
export interface TypedWorkflow<Schema extends StandardSchemaV1, Output> extends Workflow {
  readonly input: Schema;
  /** Types only; never set. */
  readonly _output?: Output;
}

/** For definitions and registrations that are not Handrail's own. */
export const reservedName = (name: string) =>
  new HandrailError(
    "invalid_workflow",
    `"${name}" cannot name a workflow: names that begin with "handrail." are Handrail's own. Use another one, such as "${name.slice("handrail.".length) || "orders"}".`,
  );

/** As many as a column of type integer holds. */
const LAST_VERSION = 2_147_483_647;

/** @throws HandrailError `invalid_workflow` that says what to write instead */
export function defineWorkflow<Schema extends StandardSchemaV1, Output>(
  options: WorkflowOptions<Schema>,
  handler: (ctx: Context, input: StandardSchemaV1.InferOutput<Schema>) => Promise<Output>,
): TypedWorkflow<Schema, Output> {
  const { name, version = 1, title = name, input, tags = () => ({}), timeoutMs } = options;
  const { drift = "stop", onFailure = "stop", events = [] } = options;
  checkWorkflowName(name, "invalid_workflow");
  checkIsSchema(input, `The input of workflow "${name}"`);
  checkIsFunction(handler, `The code of workflow "${name}"`);
  if (isReserved(name) && !OWN_WORKFLOWS.includes(name)) throw reservedName(name);
  checkCount(version, `The version of workflow "${name}"`, LAST_VERSION);
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= LONGEST_MS))
    throw new HandrailError(
      "invalid_workflow",
      `timeoutMs of workflow "${name}" must be more than 0 milliseconds, and at most ten years. Leave it out for no timeout.`,
    );
  const beginning = beginningOf(name, options);
  return {
    name,
    version,
    title,
    input,
    tags: tags as Workflow["tags"],
    runTitle: options.runTitle as Workflow["runTitle"],
    masked: checkMaskedPaths(name, options.masked ?? []),
    searchable: options.searchable ?? [],
    captureLogs: options.captureLogs,
    retry: withRetryDefaults(DEFAULT_RETRY, options.retry),
    timeoutMs,
    drift,
    onFailure,
    fourEyes: checkFourEyes(name, options.fourEyes ?? []),
    retention: options.retention && checkRetention(name, options.retention),
    queueing: defineQueueing(name, options),
    singleton: defineSingleton(name, options.singleton),
    throttle: defineThrottle(name, options.throttle),
    on: beginning.on,
    onFilter: beginning.filter,
    events: beginning.definition ? [beginning.definition, ...events] : events,
    handler: handler as Workflow["handler"],
  };
}
