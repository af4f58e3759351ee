import type { StepLimits } from "../queues/step-limit";
import type { Headers } from "../runs/headers";
import type { LogLevel } from "../runs/log";
import type { RetryPolicy } from "../steps/retry-policy";
import type { Effect } from "../steps/step";
import type { Register } from "./register";

/** A plain `pg` client inside a transaction. Never commit or roll back on it: the engine does, with the checkpoint. */
export interface PgTransaction {
  query<Row = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}
export type AppTransaction = Register extends { transaction: infer Client } ? Client : PgTransaction;

/** Argument of a step's body. */
export interface StepBody {
  /** Send it to the provider: the same for every automatic attempt, also after a crash. */
  idempotencyKey: string;
  /** Headers of the run, as in `ctx.run.headers`: to send on to a service. */
  headers: Headers;
  /** Aborts on timeout, cancel, shutdown and a lost claim. */
  signal: AbortSignal;
  /** From 1 on, counted per repair generation. */
  attempt: number;
  /**
   * The W3C `traceparent` of the attempt, to send to a service from an app without an OpenTelemetry SDK; without one in the worker,
   * that of the run's start. Undefined if there is neither.
   */
  traceparent?: string | undefined;
  /**
   * Records a line with this attempt: 2,000 characters, 4 KiB of data, and a level (default `"info"`). Never throws, does
   * not wait.
   */
  log(message: string, data?: unknown, level?: LogLevel): void;
}

export interface CompensationBody extends StepBody {
  /** The app's transaction client, only in a transactional step's compensation: its writes commit with the record. */
  tx: AppTransaction;
}

/** The provider's answer about the effect of a key. */
export type Reconciliation<Output> = { happened: true; output: Output } | { happened: false };

export interface StepOptions<Output> {
  /** Default `"idempotent"`. */
  effect?: Effect;
  /** Overrides the workflow's policy. A step with effect `"once"` is tried once unless it says otherwise here. */
  retry?: Partial<RetryPolicy>;
  /** Longest time one attempt may take, in milliseconds, counted from the start of its body. Default: none. */
  timeoutMs?: number;
  /**
   * Limits that this step shares with others by name, in any workflow: `stripe`, or `[stripe, { ...merchants, key: merchant }]`. Its body
   * begins with a permit of each, and until then the run waits without a worker. Details: `docs/limits.md`.
   */
  limit?: StepLimits;
  /** The provider's id for the effect, such as a charge's; shown to operators. */
  reference?: (output: Output) => string | undefined;
  /** Compensates the completed step: code, or `"manual"` for a person who follows `instructions`. */
  compensate?: ((output: Output, body: CompensationBody) => unknown) | "manual";
  /** How a person compensates this step manually. */
  instructions?: string | ((output: Output) => string);
  /** Asks the provider about a key without a recorded outcome. Called before a person is asked. */
  reconcile?: (body: Pick<StepBody, "idempotencyKey" | "signal">) => Promise<Reconciliation<Output>>;
}

export type TransactionOptions<Output> = Omit<StepOptions<Output>, "effect" | "reconcile"> & {
  /** `"app"`: the app's registered client (default). `"pg"`: a plain `pg` client. */
  client?: "app" | "pg";
};
