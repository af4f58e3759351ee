import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Duration } from "../duration";
import type { EventDefinition } from "../events/event";
import type { EventFilter } from "../events/event-filter";
import type { Headers } from "../runs/headers";
import type { StepOptions } from "./step-options";

export interface ChildOptions<Output = unknown> {
  /** Added to the child workflow's own tags; 16 in all. */
  tags?: Record<string, string>;
  /** Added to the headers of this run, which the child gets, or instead of those of the same name. */
  headers?: Headers;
  /** Higher goes first within its workflow; -100 to 100. Default 0. */
  priority?: number;
  /** What a cancel of this run does to the child: `"cancel"` (default for `child`) or `"leave"` (default for `startChild`). */
  onCancel?: "cancel" | "leave";
  /** Compensation of the step, as for any other; a failed run's children are not compensated automatically. */
  compensate?: StepOptions<Output>["compensate"];
  instructions?: StepOptions<Output>["instructions"];
}

export interface AwaitedChildOptions<Output = unknown> extends ChildOptions<Output> {
  /**
   * What a failure of the child does: `"throw"` fails the step (default); `"wait"` keeps this run waiting until a
   * person has changed the child's outcome, for instance by a rerun.
   */
  onFailure?: "throw" | "wait";
  /**
   * Longest wait for the child's end, counted from when this step began by the database's clock. Then the child is cancelled,
   * whatever `onCancel` says, and the step fails with `child_timed_out` once it has ended. Default: none.
   */
  timeout?: Duration;
}

export interface EventWaitOptions<Schema extends StandardSchemaV1, Otherwise> {
  /** An event of this name sent to this run. With a definition, the payload is checked by its schema. */
  event: string | EventDefinition<Schema>;
  /** Also events sent to this business key. Each event goes to one of the waiting runs: the first that waited. */
  key?: string;
  /**
   * Only events whose payload fits: `{ amountCents: { gt: 1000 }, country: ["DE", "AT"] }`. Others stay for other waits. Details:
   * `docs/events-and-approvals.md`.
   */
  where?: EventFilter<StandardSchemaV1.InferInput<NoInfer<Schema>>>;
  /** Checks the payload of an event given by name only; an invalid one fails the step with `invalid_input`. */
  schema?: Schema;
  /** Longest wait, counted from its first pass by the database's clock. Default: none. */
  timeout?: Duration;
  /** The result on expiry. Without it, the step fails with `wait_timed_out`. */
  default?: Otherwise;
}

/** The options of any event wait. */
export type AnyEventWaitOptions = EventWaitOptions<StandardSchemaV1, unknown>;
