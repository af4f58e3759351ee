import type { Step } from "@/lib/api/contract/run";
import type { CompensationMode } from "@/lib/engine/compensations/compensation";
import type { Effect, StepKind } from "@/lib/engine/steps/step";

const EFFECTS = {
  pure: "pure: it changes nothing, so it may be repeated at will",
  idempotent: "idempotent: repeating is safe, the receiver honours the key",
  once: "once: nothing protects a repetition, so a lost outcome waits for a person",
} as const satisfies Record<Effect, string>;

const KINDS = {
  step: null,
  transaction: "transaction: its rows and its record commit together, once",
  sleep: "sleep: a timer of the database",
  event: "event: it waits until somebody sends it",
  approval: "approval: a person answers it",
  child: "child: another run, whose result it waits for",
} as const satisfies Record<StepKind, string | null>;

/** Explains the step's effect in a line. */
export const effectInWords = (step: Pick<Step, "kind" | "effect">): string => KINDS[step.kind] ?? EFFECTS[step.effect];

/** How it would be compensated. */
export const UNDO_MODES = {
  none: "none declared",
  automatic: "by its code",
  manual: "by hand",
} as const satisfies Record<CompensationMode, string>;

/** From its first attempt to its outcome, including the waits between attempts; null until it has one. */
export function tookMs(step: Pick<Step, "startedAt" | "finishedAt" | "attempts">): number | null {
  if (!step.finishedAt) return null;
  const begins = [step.startedAt, ...step.attempts.map(({ startedAt }) => startedAt)].map((at) => Date.parse(at));
  return Math.max(0, Date.parse(step.finishedAt) - begins.reduce((first, at) => Math.min(first, at)));
}
