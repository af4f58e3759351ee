import { HandrailError } from "../../engine/errors";
import { isTrouble, takesNoWrites } from "../../store/database/trouble";
import { sqlState } from "../../store/db";

/** Cancelled by the statement timeout, or by a lock that was not released in time. */
const TOOK_TOO_LONG = /^(57014|55P03)$/;

/** A database failure in words for the user; undefined for any other error. */
export function databaseTrouble(error: unknown): HandrailError | undefined {
  if (TOOK_TOO_LONG.test(sqlState(error) ?? ""))
    return new HandrailError("too_busy", "The database took too long. Narrow the filter, or try again in a moment.");
  if (takesNoWrites(error))
    return new HandrailError(
      "unavailable",
      "The database takes no changes now. Nothing was lost; try again in a moment.",
    );
  if (isTrouble(error))
    return new HandrailError("unavailable", "The database cannot be reached. Nothing was lost; try again in a moment.");
  return undefined;
}
