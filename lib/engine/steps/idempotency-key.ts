import { sha256 } from "../digest";

// Providers commonly accept 255 characters of printable ASCII, and take the key in an HTTP header.
const PLAIN_NAME = /^[A-Za-z0-9._:-]{1,120}$/;

/** The key that a step's body sends to the provider: the same for every attempt and rerun, except with fresh keys. */
export function stepIdempotencyKey(runId: string, step: string, keyGeneration: number): string {
  const name = PLAIN_NAME.test(step) ? step : sha256(step).slice(0, 40);
  return `${runId}:${name}:${keyGeneration}`;
}

/** The key of a step's compensation, never the step's: the provider must not take the refund for the charge. */
export function compensationIdempotencyKey(runId: string, step: string, keyGeneration: number): string {
  return `${stepIdempotencyKey(runId, step, keyGeneration)}:undo`;
}
