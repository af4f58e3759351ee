import { toMilliseconds } from "../../engine/duration";
import { HandrailError } from "../../engine/errors";
import type { RunFilter } from "../../store/reads/run-filter";

/**
 * The filter with relative times, such as "24h", resolved to instants: once for all batches of a walk.
 * @throws HandrailError `invalid_request` for any other text
 */
export function atInstants(filter: RunFilter, nowMs = Date.now()): RunFilter {
  const { createdAfter, createdBefore } = filter;
  return {
    ...filter,
    ...(createdAfter !== undefined && { createdAfter: atInstant(createdAfter, nowMs) }),
    ...(createdBefore !== undefined && { createdBefore: atInstant(createdBefore, nowMs) }),
  };
}

const STARTS_LIKE_A_DATE = /^\d{4}-/;

/** @throws HandrailError `invalid_request` for a text that is no time */
export function atInstant(given: string, nowMs: number): string {
  try {
    return STARTS_LIKE_A_DATE.test(given) ? given : new Date(nowMs - toMilliseconds(given)).toISOString();
  } catch {
    throw new HandrailError(
      "invalid_request",
      `"${given}" is no time. Write an instant, or how long ago, such as "24h".`,
    );
  }
}
