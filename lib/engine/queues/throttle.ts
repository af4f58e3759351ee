import { HandrailError } from "../errors";
import { checkCount, checkedKey, checkPeriod } from "./queue";

/** First wins: starts beyond the limit are refused, where `rateLimit` lets them wait. */
export interface Throttle<Input = unknown> {
  /** Starts in any `perMs` milliseconds, a sliding period, by the database's clock; from 1 to 1,000. */
  limit: number;
  /** Up to a day. */
  perMs: number;
  /** 200 characters at most. Default: one limit for the workflow. */
  key?: (input: Input) => string;
}

/** The declared throttle of a workflow. */
export interface Throttling {
  limit: number;
  perMs: number;
  keyOf: (input: unknown) => string;
}

/** The instants of so many starts are kept for each key. */
export const MAX_THROTTLE = 1_000;

/** @throws HandrailError `invalid_workflow` */
export function defineThrottle<Input>(name: string, declared: Throttle<Input> | undefined): Throttling | undefined {
  if (!declared) return undefined;
  const { limit, perMs, key } = declared;
  checkCount(limit, `throttle.limit of workflow "${name}"`, MAX_THROTTLE);
  checkPeriod(perMs, `throttle.perMs of workflow "${name}"`);
  return { limit, perMs, keyOf: key ? (input) => checkedKey("throttle", name, key(input as Input)) : () => "" };
}

export const throttled = (
  workflow: string,
  { limit, perMs }: Pick<Throttling, "limit" | "perMs">,
  retryAfterMs: number,
) =>
  new HandrailError(
    "throttled",
    `"${workflow}" takes ${limit === 1 ? "one start" : `${limit} starts`} of a key in ${perMs} ms. Try again in ${retryAfterMs} ms.`,
    { retryAfterMs },
  );
