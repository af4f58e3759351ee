import { ApiError } from "../api/client/client";
import type { SerializedError } from "../engine/values/serialized-error";

interface RefusedOutcome {
  outcome: "failed";
  error: SerializedError;
}

/** Sends an outcome; where the API refuses its content, sends a failure with this refusal, and `refused`. */
export async function sendOutcome<Given extends object, Outcome extends object, Answer, Refused extends object>(
  what: string,
  send: (request: Given & (Outcome | (RefusedOutcome & Refused))) => Promise<Answer>,
  given: Given,
  outcome: Outcome,
  refused: Refused,
): Promise<Answer> {
  try {
    return await send({ ...given, ...outcome });
  } catch (refusal) {
    // Other statuses refuse the claim, or the worker that holds it.
    if (!(refusal instanceof ApiError && [400, 413, 422].includes(refusal.status))) throw refusal;
    const { name, code, message } = refusal;
    const error = { name, code, message: `The outcome of ${what} was refused: ${message}` };
    return send({ ...given, outcome: "failed", error, ...refused });
  }
}

export const isClaimLost = (error: unknown): boolean => error instanceof ApiError && error.code === "claim_lost";
