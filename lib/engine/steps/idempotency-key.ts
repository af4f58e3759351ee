import { sha256 } from "../digest";

// Receivers commonly take 255 characters of printable ASCII, and put the key in an HTTP header.
const PLAIN_NAME = /^[A-Za-z0-9._:-]{1,120}$/;

/** The key a step's body hands to the outside: the same for every automatic attempt, and after a rerun unless fresh keys were asked for. */
export function stepIdempotencyKey(runId: string, step: string, keyGeneration: number): string {
  const name = PLAIN_NAME.test(step) ? step : sha256(step).slice(0, 40);
  return `${runId}:${name}:${keyGeneration}`;
}

/** The key of a step's undo, never the step's own: a receiver must not take the refund for the charge. */
export function compensationIdempotencyKey(runId: string, step: string, keyGeneration: number): string {
  return `${stepIdempotencyKey(runId, step, keyGeneration)}:undo`;
}
