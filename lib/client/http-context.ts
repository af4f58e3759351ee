import type { AnswerOf, RequestOf } from "../api/client/client";
import type { RetryPolicy } from "../engine/steps/retry-policy";
import type { Effect } from "../engine/steps/step";

type Attempt = RequestOf<"POST", "/v1/worker/runs/{runId}/steps/{step}/attempts">;
type OfKind<Kind extends Attempt["kind"]> = Omit<Extract<Attempt, { kind: Kind }>, "epoch" | "kind">;

/** A run as it was claimed. */
export type HttpRun = AnswerOf<"POST", "/v1/worker/registrations/{workerId}/claims">["runs"][number];

/** Argument of a step's body. */
export interface HttpStepBody {
  /** Send it to the provider: the same for every automatic attempt, also after a crash. */
  idempotencyKey: string;
  attempt: number;
  /** Aborts when the run was cancelled, when the claim is lost, and ten seconds after `stop()` of the worker. A pause lets the body end. */
  signal: AbortSignal;
}

export interface HttpStepOptions<Output> {
  /** Default `"idempotent"`. */
  effect?: Effect;
  /** Over the workflow's. A step with effect `"once"` is tried once unless it says otherwise here. */
  retry?: Partial<Omit<RetryPolicy, "retryIf">>;
  /** The provider's id for the effect: 500 characters, more are cut. Code that throws gives none, and does not fail the step. */
  reference?: (output: Output) => string | undefined;
  /** How a person compensates this step: 4,000 characters, more are cut. */
  instructions?: string;
}

/** The API of a workflow's code; see `Context` of `handrail`. A step that waits never resolves in this pass. */
export interface HttpContext {
  readonly run: Omit<HttpRun, "secret" | "input">;
  /** @throws what the body threw, as it was recorded, once its retries are exhausted; HandrailError `duplicate_step` */
  step<Output>(
    name: string,
    body: (body: HttpStepBody) => Output | Promise<Output>,
    options?: HttpStepOptions<Output>,
  ): Promise<Output>;
  /** @param ms how long, by the database's clock */
  sleep(name: string, ms: number): Promise<void>;
  sleepUntil(name: string, instant: Date): Promise<void>;
  /** Its payload. @throws an error with the code `wait_timed_out` after `timeoutMs` without a `default` */
  waitForEvent<Payload = unknown>(
    name: string,
    options: Omit<OfKind<"event">, "default"> & { default?: unknown },
  ): Promise<Payload>;
  /** A person's answer. @throws as `waitForEvent` */
  approval(name: string, options: Omit<OfKind<"approval">, "data"> & { data?: unknown }): Promise<HttpAnswer>;
}

export interface HttpAnswer {
  choice: string;
  by: string | null;
  note: string | null;
  at: string;
}
