import type { SerializedError } from "../engine/values/serialized-error";
import { asError, asJson } from "../operator/values";
import type { Json } from "../store/rows";
import type { ClaimedStep } from "../store/workers/claim-runs";
import type { Kept } from "../worker/steps/keep-outcome";
import { isKept } from "../worker/steps/kept-step";

/** The status of a step, as its worker receives it. */
export type Standing =
  | { next: "completed"; output: Json; reference: string | null }
  | { next: "failed"; error: SerializedError }
  /** Hand the run back, naming this step: it is claimable again when it can continue. */
  | { next: "wait"; for: WaitFor; until: string | null; inMs: number | null };

type WaitFor = "retry" | "timer" | "event" | "approval" | "operator";

/** The recorded outcome of a step; undefined when it has no current one. */
export function keptOutcomeOf(row: ClaimedStep | undefined): Standing | undefined {
  if (!row || !isKept(row)) return undefined;
  return row.status === "failed" ? failed(row.error) : completed(row.output, row.reference);
}

/** The outcome that an interpreter of the engine has just recorded. */
export function standingOf(kept: Kept, reference: string | null = null): Standing {
  switch (kept.next) {
    case "completed":
      return completed(kept.output, reference);
    case "failed":
      return failed(kept.error);
    case "unknown":
      return FOR_A_PERSON;
    case "waiting":
      return waits("retry", kept);
  }
}

/** The outcome is unknown, and the step does not run again by itself: a person resolves it. */
export const FOR_A_PERSON: Standing = { next: "wait", for: "operator", until: null, inMs: null };

export const waits = (
  reason: WaitFor,
  { dueAt, dueInMs }: { dueAt: string | null; dueInMs: number | null },
): Standing => ({
  next: "wait",
  for: reason,
  until: dueAt === null ? null : new Date(dueAt).toISOString(),
  inMs: dueInMs === null ? null : Math.max(0, Math.ceil(dueInMs)),
});

const completed = (output: string | null, reference: string | null): Standing => ({
  next: "completed",
  output: asJson(output ?? "null"),
  reference,
});

const failed = (error: string | null): Standing => ({ next: "failed", error: asError(error) as SerializedError });
