import { sqlState } from "../db";

/*
 * SQLSTATE classes for trouble of the server itself: connection lost (08; poolers use it for all of their errors),
 * no resources (53), shutting down or starting up (57P), system error (58). 25006 is a read-only server: a standby, or
 * a demoted primary.
 */
const SERVER_IN_TROUBLE = /^(08|53|57P|58)/;
export const TAKES_NO_WRITES = "25006";
/** Errors of node, pg, postgres.js, Knex and Prisma if no server answers. */
const NO_ANSWER =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|CONNECT_TIMEOUT|CONNECTION_(CLOSED|DESTROYED)|timeout (exceeded|expired)|Timeout acquiring a connection|[Cc]onnection terminated|is not queryable|Query read timeout|\bP1001\b|\bP1017\b/;

export const takesNoWrites = (error: unknown): boolean => sqlState(error) === TAKES_NO_WRITES;

/** Whether the database failed, and not the request: a retry may succeed, and the request may have been executed. */
export function isTrouble(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return SERVER_IN_TROUBLE.test(state) || state === TAKES_NO_WRITES;
  const { code, message, cause } = (error ?? {}) as { code?: unknown; message?: unknown; cause?: unknown };
  // By `String`: an app's error may have anything there, also a symbol, which a template would refuse.
  return NO_ANSWER.test(`${String(code)} ${String(message)}`) || (isOfQuery(error) && isTrouble(cause));
}

/** Drizzle wraps the error of its driver. The cause of any other error may be a provider's, and none of the database. */
const isOfQuery = (error: unknown) => error instanceof Error && "query" in error && error.cause instanceof Error;
