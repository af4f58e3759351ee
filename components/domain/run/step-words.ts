import type { Step } from "@/lib/api/contract/run";
import type { CompensationMode } from "@/lib/engine/compensations/compensation";
import type { Effect, StepKind } from "@/lib/engine/steps/step";

const EFFECTS = {
  pure: "pure: changes nothing, safe to repeat",
  idempotent: "idempotent: safe to repeat, the provider recognizes the key",
  once: "once: not safe to repeat, so an unknown outcome needs manual action",
} as const satisfies Record<Effect, string>;

const KINDS = {
  step: null,
  transaction: "transaction: its rows and its record commit together, once",
  sleep: "sleep: a timer of the database",
  event: "event: waits until the event is sent",
  approval: "approval: waits for an answer",
  child: "child: waits for the result of another run",
  cancel: "cancel: ends another run, once, together with its record",
  send: "send: an event, sent once, together with its record",
  publish: "publish: a value for those who wait for it outside",
} as const satisfies Record<StepKind, string | null>;

/** Explains the step's effect in a line. */
export const effectInWords = (step: Pick<Step, "kind" | "effect">): string => KINDS[step.kind] ?? EFFECTS[step.effect];

/** How it would be compensated. */
export const UNDO_MODES = {
  none: "none declared",
  automatic: "automatic",
  manual: "manual",
} as const satisfies Record<CompensationMode, string>;

/** From its first attempt to its outcome, including the waits between attempts; null until it has one. */
export function tookMs(step: Pick<Step, "startedAt" | "finishedAt" | "attempts">): number | null {
  if (!step.finishedAt) return null;
  const begins = [step.startedAt, ...step.attempts.map(({ startedAt }) => startedAt)].map((at) => Date.parse(at));
  return Math.max(0, Date.parse(step.finishedAt) - begins.reduce((first, at) => Math.min(first, at)));
}
