import { NonRetryableError, RetryAfterError } from "../engine/steps/retry-policy";
import type { HttpWorkflow } from "./http-workflow";

/** Compensations are found by the step's name up to a colon. */
export const stemOf = (step: string): string => step.split(":", 1)[0] ?? step;

/** Longest instructions that the API takes. */
const MAX_INSTRUCTIONS = 4_000;

/** A text for people as the API takes it: the database stores no NUL and no half of a surrogate pair, and a longer one is cut. */
export function shownText(text: unknown, most: number): string {
  const whole = String(text).replaceAll("\0", "\ufffd");
  return (whole.length <= most ? whole : `${whole.slice(0, most - 1)}…`).toWellFormed();
}

/** How a step is compensated: by the workflow's code, or else by a person with these instructions. */
export function compensationOf(
  step: string,
  instructions: string | undefined,
  undos: HttpWorkflow["undos"] = {},
): { compensate?: "automatic" | "manual"; instructions?: string } {
  if (undos[stemOf(step)] !== undefined) return { compensate: "automatic" };
  return instructions ? { compensate: "manual", instructions: shownText(instructions, MAX_INSTRUCTIONS) } : {};
}

/** What an error of a body or of a compensation says beside that it failed. */
export const verdictOf = (error: unknown) => ({
  retryable: !(error instanceof NonRetryableError),
  ...(error instanceof RetryAfterError && { retryAfterMs: error.delayMs }),
});
