import type { Db } from "../../store/db";
import { CHANGED_AT_ONCE, changeDueProblems } from "../../store/problems/due-changes";
import { OnCall } from "../loop/on-call";
import { FOLDED_AT_ONCE, foldProblems } from "./fold-problems";

type OnChanged = (runIds: string[]) => void;

/** Until nothing is left to fold, or it is late. */
export const foldAll = (db: Db, isLate: () => boolean, onFolded: OnChanged = () => undefined) =>
  inBatches(() => foldProblems(db), FOLDED_AT_ONCE, isLate, onFolded);

/**
 * Folds what waits, and then changes the problems that change by themselves: which one is resolved depends on what was
 * folded. Until nothing is left, or it is late.
 */
export async function keepProblems(db: Db, isLate: () => boolean, onChanged: OnChanged): Promise<void> {
  await foldAll(db, isLate, onChanged);
  await inBatches(() => changeDueProblems(db), CHANGED_AT_ONCE, isLate, onChanged);
}

/** As long as a batch is full. `work` returns the affected runs. */
async function inBatches(
  work: () => Promise<string[]>,
  full: number,
  isLate: () => boolean,
  onChanged: OnChanged,
): Promise<void> {
  for (let batch = full; batch >= full && !isLate(); ) {
    const runIds = await work();
    if (runIds.length > 0) onChanged(runIds);
    batch = runIds.length;
  }
}

/**
 * Updates the problems, in small batches. Every worker does, there is no leader: one folds at a time, whichever comes
 * first.
 */
export function problemLoop(db: Db, onChanged: OnChanged, onTrouble: (error: unknown) => void): OnCall {
  return new OnCall((isStopped) => keepProblems(db, isStopped, onChanged), onTrouble);
}
