import type { Db } from "../../store/db";
import { changeDueProblems } from "../../store/problems/due-changes";
import { OnCall } from "../loop/on-call";
import { FOLDED_AT_ONCE, foldProblems } from "./fold-problems";

/** Until nothing is left to fold, or it is late. Returns the affected runs. */
export async function foldAll(db: Db, isLate: () => boolean): Promise<string[]> {
  const folded: string[] = [];
  for (let batch = FOLDED_AT_ONCE; batch === FOLDED_AT_ONCE && !isLate(); ) {
    const runIds = await foldProblems(db);
    folded.push(...runIds);
    batch = runIds.length;
  }
  return folded;
}

/**
 * Updates the problems, in small batches. Every worker does, there is no leader: one folds at a time, whichever comes
 * first.
 */
export function problemLoop(db: Db, onFolded: (runIds: string[]) => void, onTrouble: (error: unknown) => void): OnCall {
  const look = async (isStopped: () => boolean) => {
    const { changed, waiting } = await changeDueProblems(db);
    if (changed.length > 0) onFolded(changed);
    for (let batch = waiting ? FOLDED_AT_ONCE : 0; batch === FOLDED_AT_ONCE && !isStopped(); ) {
      const folded = await foldProblems(db);
      if (folded.length > 0) onFolded(folded);
      batch = folded.length;
    }
  };
  return new OnCall(look, onTrouble);
}
