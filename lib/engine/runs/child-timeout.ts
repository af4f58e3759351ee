import { durationText } from "../duration";
import { HandrailError } from "../errors";
import { deserializeError, type SerializedError } from "../values/serialized-error";

/** Why a child is cancelled, as its audit row says. */
export const childTimeoutReason = (waitedMs: number) =>
  `Its parent waited ${durationText(waitedMs)} for it, and no longer`;

/** For a step whose child has not ended within the step's timeout. */
export function childTimedOut(
  step: string,
  { id, workflow }: { id: string; workflow: string },
  waitedMs: number,
): HandrailError {
  return new HandrailError(
    "child_timed_out",
    `The child run ${id} of "${workflow}" had not ended after ${durationText(waitedMs)}, and was cancelled.`,
    { step, runId: id, status: "cancelled" },
  );
}

/** The same, of a child that has failed and waits for its repair. @param error the child's, as stored */
export function childNotRepaired(
  step: string,
  { id, workflow }: { id: string; workflow: string },
  waitedMs: number,
  error: string | null,
): HandrailError {
  const cause = error === null ? undefined : deserializeError(JSON.parse(error) as SerializedError);
  return new HandrailError(
    "child_timed_out",
    `The child run ${id} of "${workflow}" failed, and was not repaired within ${durationText(waitedMs)}${cause ? `: ${cause.message}` : "."}`,
    { step, runId: id, status: "failed" },
    cause && { cause },
  );
}
