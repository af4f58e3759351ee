import { HandrailError } from "../../engine/errors";
import type { Db } from "../../store/db";
import { selectDoubtsBelow } from "../../store/operations/effects-below";

/** Without an id: the reasons of a plan are counted. */
export const DOUBT_BELOW =
  "A step of one of its child runs, or of theirs, may have happened. Resolve it, or wait for its outcome, first: with other keys it could happen twice.";

/** For one run, under its lock. @throws HandrailError `not_allowed` */
export async function checkNoDoubtBelow(tx: Db, runId: string): Promise<void> {
  if ((await selectDoubtsBelow(tx, [runId])).size > 0) throw new HandrailError("not_allowed", DOUBT_BELOW, { runId });
}
