import { sqlState } from "../db";

/*
 * Classes of SQLSTATE in which the server itself is in trouble: connection lost (08; poolers call all of their own troubles
 * so), no resources (53), shutting down or starting up (57P), system error (58). 25006 is a server that takes no writes: a
 * standby, or a primary that was demoted.
 */
const SERVER_IN_TROUBLE = /^(08|53|57P|58)/;
export const TAKES_NO_WRITES = "25006";
/** What node, pg and Prisma say when no server answers. */
const NO_ANSWER =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|timeout exceeded|[Cc]onnection terminated|is not queryable|Query read timeout|\bP1001\b|\bP1017\b/;

export const takesNoWrites = (error: unknown): boolean => sqlState(error) === TAKES_NO_WRITES;

/** Whether the database failed, and not what it was asked: the same may go well in a moment, and what was sent may have been done. */
export function isTrouble(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return SERVER_IN_TROUBLE.test(state) || state === TAKES_NO_WRITES;
  const { code = "", message = "" } = (error ?? {}) as { code?: unknown; message?: unknown };
  return NO_ANSWER.test(`${code} ${message}`);
}
