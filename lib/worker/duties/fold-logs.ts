import type { Db } from "../../store/db";
import {
  type BlockLine,
  isFoldDue,
  keepLogFold,
  linesOfBlock,
  lockLogFold,
  nextLogBlocks,
  takeGoneBlocks,
  writeLogBlock,
} from "../../store/logs/log-fold";
import { addEntries, LINES_PER_BLOCK } from "../../store/logs/log-words";
import { faultPoint } from "../fault-points";
import { OnCall } from "../loop/on-call";

/** Blocks of one fold: 10,240 lines, some tenths of a second. */
const BLOCKS_AT_ONCE = 20;
/** A tsvector holds less than a mebibyte of words. */
const BYTES_OF_A_PART = 400_000;

/**
 * Writes the words of the next full blocks of lines, and anew those of blocks that have lost lines, in one transaction:
 * exactly once, since its position is kept with the blocks, and moves only as far as nothing earlier can still commit. One
 * process folds at a time; others find nothing to do. Returns whether there may be more at once.
 */
export async function foldLogs(db: Db, limit = BLOCKS_AT_ONCE): Promise<boolean> {
  if (!(await isFoldDue(db))) return false;
  const written = await db.transaction(async (tx) => {
    const progress = await lockLogFold(tx);
    if (!progress) return false;
    // Before the lines are read: a deletion that this does not see is seen there, or leaves its note for the next fold.
    const gone = await takeGoneBlocks(tx, limit);
    const settledBlock = Math.floor((progress.settledId + 1) / LINES_PER_BLOCK);
    const next = await nextLogBlocks(tx, progress.nextBlock, settledBlock, limit);
    for (const block of [...gone.blocks, ...next]) await writeBlock(tx, block);
    const last = next.length === limit ? next.at(-1) : undefined;
    const nextBlock = last === undefined ? Math.max(settledBlock, progress.nextBlock) : last + 1;
    await keepLogFold(tx, { ...progress, nextBlock });
    await faultPoint("logs:before-commit");
    return gone.taken > 0 || next.length > 0;
  });
  if (written) await faultPoint("logs:after-commit");
  return written;
}

/** From the lines that it has now; nothing if they are gone. */
async function writeBlock(tx: Db, block: number): Promise<void> {
  const lines = await linesOfBlock(tx, block);
  for (let from = 0, part = 0; from < lines.length; part++) {
    const entries = new Set<string>();
    let to = from;
    for (let bytes = 0; to < lines.length && bytes < BYTES_OF_A_PART; to++)
      bytes += addEntries(entries, lines[to] as BlockLine);
    const times = lines.slice(from, to).map(({ at }) => at.getTime());
    const [firstAt, lastAt] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
    await writeLogBlock(tx, block, part, { firstAt, lastAt, entries: [...entries] });
    from = to;
  }
}

/** Until nothing is left to fold, or it is late. */
export async function foldAllLogs(db: Db, isLate: () => boolean): Promise<void> {
  while ((await foldLogs(db)) && !isLate());
}

/** Every worker folds lines, there is no leader: one at a time, whichever comes first. */
export const logLoop = (db: Db, onTrouble: (error: unknown) => void): OnCall =>
  new OnCall((isStopped) => foldAllLogs(db, isStopped), onTrouble);
