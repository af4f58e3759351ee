import type { SerializedError } from "../engine/values/serialized-error";
import { asError, asJson } from "../operator/values";
import type { Json } from "../store/rows";
import type { ClaimedStep } from "../store/workers/claim-runs";
import type { Kept } from "../worker/steps/keep-outcome";
import { isKept } from "../worker/steps/kept-step";

/** How a step stands, as its worker is told. */
export type Standing =
  | { next: "completed"; output: Json; reference: string | null }
  | { next: "failed"; error: SerializedError }
  /** Hand the run back, naming this step: it is claimable again when there is something to go on with. */
  | { next: "wait"; for: WaitFor; until: string | null; inMs: number | null };

type WaitFor = "retry" | "timer" | "event" | "approval" | "operator";

/** The kept outcome of a step; undefined when it has none that stands. */
export function keptOutcomeOf(row: ClaimedStep | undefined): Standing | undefined {
  if (!row || !isKept(row)) return undefined;
  return row.status === "failed" ? failed(row.error) : completed(row.output, row.reference);
}

/** What an interpreter of the engine's has kept just now. */
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

/** Nobody knows what the step did, and it runs again by nobody's own doing: a person says what happened. */
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
