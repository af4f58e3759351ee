import { type ErrorCode, HandrailError } from "../errors";
import { deserializeError, type SerializedError } from "../values/serialized-error";
import type { RunStatus } from "./run";

const ENDED_AS = { failed: "failed", cancelled: "was cancelled", compensated: "failed and was compensated" } as const;

/** An ended run that has no output. */
export interface BadEnd {
  id: string;
  workflow: string;
  status: Exclude<Extract<RunStatus, "completed" | "failed" | "cancelled" | "compensated">, "completed">;
  /** As stored. */
  error: string | null;
}

/** The error for one who waits for the run's output, with the run's error as its cause. */
export function outcomeError(
  code: Extract<ErrorCode, "child_failed" | "run_failed">,
  { id, workflow, status, error }: BadEnd,
  details: Record<string, unknown> = {},
): HandrailError {
  const cause = error === null ? undefined : deserializeError(JSON.parse(error) as SerializedError);
  const run = code === "child_failed" ? "child run" : "run";
  return new HandrailError(
    code,
    `The ${run} ${id} of "${workflow}" ${ENDED_AS[status]}${cause ? `: ${cause.message}` : "."}`,
    { ...details, runId: id, status },
    cause && { cause },
  );
}
