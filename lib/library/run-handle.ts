import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { EventDefinition } from "../engine/events/event";
import type { StartOptions } from "../engine/runs/start";
import type { TraceOptions } from "../engine/traces/trace-context";
import type { RunView } from "../operator/runs/run-view";
import type { SentEvent } from "../store/events/send-event";
import type { ResultOptions } from "./result";

export interface CancelOptions {
  /** For the audit log. Default: that the app cancelled it. */
  reason?: string;
}

export interface SendOptions<Tx> extends TraceOptions {
  /** Chosen by the sender: events of one name and id count once. 255 characters at most. Default: a new one. */
  id?: string;
  /** The app's open transaction: the event is sent with its commit, or never. */
  tx?: Tx;
}

export interface StartHow<Tx> extends StartOptions, TraceOptions {
  /** The app's open transaction: the run exists with its commit, or never. */
  tx?: Tx;
}

export interface SendHow<Tx> extends SendOptions<Tx> {
  /** The run to send it to. Not together with `key`. */
  runId?: string;
  /** The business key to send it to, such as a parcel's number. 255 characters at most. */
  key?: string;
}

/** One run. Making a handle asks the database nothing. */
export interface RunHandle<Output, Tx> {
  readonly id: string;
  /**
   * The run's output, once it has ended. Woken by the end: a thousand waits share one connection.
   * @throws HandrailError `run_failed`, with the run's error as its cause, if it failed, was cancelled or compensated;
   * `wait_timed_out` after `timeoutMs`; `unknown_run`, also before the commit of the transaction that it was started in
   */
  result(options?: ResultOptions): Promise<{ output: Output }>;
  /**
   * What its code has published under a name with `ctx.publish`, once it has; the run may go on. Woken as `result` is.
   * @throws HandrailError `not_found` once the run has ended without; `wait_timed_out` after `timeoutMs`; `unknown_run`
   */
  published<Value = unknown>(name: string, options?: ResultOptions): Promise<Value>;
  /** The run as `GET /api/v1/runs/{id}` shows it, masked values included. @throws HandrailError `unknown_run` */
  status(): Promise<RunView>;
  /**
   * Ends it: at once if no worker has it, else at the end of the body in flight.
   * @throws HandrailError `unknown_run`; `not_allowed` when it has ended; `approval_required`
   */
  cancel(options?: CancelOptions): Promise<RunView>;
  /** Sends an event to this run. @throws HandrailError `invalid_input`; `unknown_run`; `not_allowed` when it has ended */
  send<Schema extends StandardSchemaV1>(
    event: string | EventDefinition<Schema>,
    payload: StandardSchemaV1.InferInput<Schema>,
    options?: SendOptions<Tx>,
  ): Promise<SentEvent>;
}

export interface StartedRun<Output, Tx> extends RunHandle<Output, Tx> {
  /** False if the idempotency key had started this run before. */
  readonly created: boolean;
}
