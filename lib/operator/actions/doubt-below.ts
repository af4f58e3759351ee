import { HandrailError } from "../../engine/errors";
import type { Db } from "../../store/db";
import { selectDoubtsBelow } from "../../store/operations/effects-below";

/** Why the work of these runs may not begin anew under other keys, of each that has a descendant in doubt. */
export async function doubtsBelow(db: Db, runIds: readonly string[]): Promise<Map<string, string>> {
  const found = await selectDoubtsBelow(db, runIds);
  return new Map([...found].map(([runId, inDoubt]) => [runId, because(inDoubt)]));
}

const because = (inDoubt: string) =>
  `Its descendant ${inDoubt} has a step of unknown outcome. Resolve it first: its work would begin anew, with other keys.`;

/** The same for one run, under its lock. @throws HandrailError `not_allowed` */
export async function checkNoDoubtBelow(tx: Db, runId: string): Promise<void> {
  const doubt = (await doubtsBelow(tx, [runId])).get(runId);
  if (doubt !== undefined) throw new HandrailError("not_allowed", doubt, { runId });
}
