import { isNonRetryable, isRetryAfter } from "../engine/steps/retry-policy";
import type { HttpWorkflow } from "./http-workflow";

/** Compensations are found by the step's name up to a colon. */
export const stemOf = (step: string): string => step.split(":", 1)[0] ?? step;

/** A text for people as the API takes it, and the database keeps it. */
export function shownText(text: unknown, most: number): string | undefined {
  const whole = String(text ?? "").replaceAll("\0", "\ufffd");
  if (whole === "") return undefined;
  return (whole.length <= most ? whole : `${whole.slice(0, most - 1)}…`).toWellFormed();
}

/** How a step is compensated. */
export function compensationOf(
  step: string,
  instructions: string | undefined,
  undos: HttpWorkflow["undos"] = {},
): { compensate?: "automatic" | "manual"; instructions?: string } {
  if (undos[stemOf(step)] !== undefined) return { compensate: "automatic" };
  const shown = shownText(instructions, 4_000);
  return shown === undefined ? {} : { compensate: "manual", instructions: shown };
}

/** What an error of a body or of a compensation says beside that it failed. */
export const verdictOf = (error: unknown) => ({
  retryable: !isNonRetryable(error),
  ...(isRetryAfter(error) && { retryAfterMs: error.delayMs }),
});
