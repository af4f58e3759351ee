import { decodeValue } from "../../engine/values/codec";
import type { ClaimedStep } from "../../store/workers/claim-runs";
import { keptError } from "./kept-error";

/** A step with a recorded outcome: its body does not run again. */
export interface KeptStep extends ClaimedStep {
  status: "completed" | "skipped" | "failed";
  finishedPosition: number;
}

export const isKept = (step: ClaimedStep): step is KeptStep =>
  step.nextKeyGeneration === null &&
  (step.status === "completed" || step.status === "failed" || step.status === "skipped");

/** The value for the code. @throws the step's error when that is its outcome */
export function keptOutcome({ name, status, output, error }: KeptStep): unknown {
  if (status === "failed") throw keptError(name, error as string);
  return decodeValue(output as string);
}
