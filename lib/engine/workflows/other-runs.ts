import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { EventDefinition, EventOptions } from "../events/event";
import type { RunStatus } from "../runs/run";

export interface CancelOtherOptions {
  /** For the audit log; 2,000 characters at most. Default: that the code of this run cancelled it. */
  reason?: string;
}

export interface CancelledOther {
  /** False: it had ended, is being compensated, or was asked to end before. Nothing was changed then. */
  cancelled: boolean;
  /** Its status after that. `running`: its worker ends it once the body in flight has ended. */
  status: RunStatus;
}

/** What code does to other runs, each as a step: done once, since it commits together with its checkpoint. */
export interface OtherRuns {
  /**
   * Cancels another run, and the children that end with it. The audit log names this run as the one that did it.
   * @throws HandrailError `unknown_run`; `not_allowed` for this run itself; `invalid_request`
   */
  cancelRun(name: string, runId: string, options?: CancelOtherOptions): Promise<CancelledOther>;
  /**
   * Sends an event to another run (`runId`), to all that wait for a business key (`key`), or, with neither, to the workflows
   * that it starts. A rerun that keeps the step's key sends nothing again. `created` is false if its id was sent before.
   * @throws HandrailError `invalid_input` for a payload that does not fit the definition; `unknown_run`; `not_allowed` when
   * the run has ended, and for this run itself; `invalid_request`
   */
  sendEvent<Schema extends StandardSchemaV1>(
    name: string,
    event: string | EventDefinition<Schema>,
    payload: StandardSchemaV1.InferInput<Schema>,
    options?: EventOptions,
  ): Promise<{ id: string; created: boolean }>;
}
