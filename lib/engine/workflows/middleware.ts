import type { Effect } from "../steps/step";
import type { RunFactsForAuthors } from "./workflow";

/** A body that is about to run: an attempt of a step, or of its compensation. */
export interface BodyCall {
  readonly kind: "step" | "transaction" | "compensation";
  readonly step: string;
  readonly effect: Effect;
  readonly run: RunFactsForAuthors;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/**
 * Runs around the bodies of all steps of a worker. `next` runs the following middleware, and the body last; it rejects with what the
 * body throws. An error before `next` fails the attempt. Once the body has ended, its outcome stands, whatever a middleware does; one
 * that goes on is waited for, for five seconds at most.
 */
export type Middleware = (call: BodyCall, next: () => Promise<void>) => Promise<void>;
