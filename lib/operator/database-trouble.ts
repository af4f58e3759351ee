import { HandrailError } from "../engine/errors";
import { sqlState } from "../store/db";

/** Classes of SQLSTATE in which the server itself is in trouble: connection lost, no resources, shutting down, system error. */
const SERVER_IN_TROUBLE = /^(08|53|57P|58)/;
/** Cancelled by the statement timeout, or by a lock that did not come free in time. */
const TOOK_TOO_LONG = /^(57014|55P03)$/;
/** What node and pg say when no server answers. */
const NO_ANSWER =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|timeout exceeded|Connection terminated|Query read timeout/;

/** A failure of the database in words for the person who waits; undefined for any other error. */
export function databaseTrouble(error: unknown): HandrailError | undefined {
  const state = sqlState(error) ?? "";
  if (TOOK_TOO_LONG.test(state))
    return new HandrailError("too_busy", "The database took too long. Narrow the filter, or try again in a moment.");
  const { code = "", message = "" } = error as { code?: unknown; message?: unknown };
  if (SERVER_IN_TROUBLE.test(state) || NO_ANSWER.test(`${code} ${message}`))
    return new HandrailError("unavailable", "The database cannot be reached. Nothing was lost; try again in a moment.");
  return undefined;
}
