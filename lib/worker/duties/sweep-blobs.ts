import type { Blobs } from "../../blobs/blobs";
import { forgetBlobs, letLeftBehindGo, noteNotDeleted, takeBlobsToDelete } from "../../store/blobs/sweep";
import type { Db } from "../../store/db";
import { faultPoint } from "../fault-points";
import { Rounds } from "../loop/rounds";
import { errorText } from "../steps/error-text";

const PAUSE_MS = 10_000;
/** A call that hangs is abandoned as soon after nothing more is to be begun. */
const LOOK_MS = 100;
/** Longer than any start takes from its first byte in the store to its commit. */
export const LEFT_BEHIND_MS = 3_600_000;

/** No failure of the store: whoever comes next tries again. */
class Abandoned extends Error {}

/**
 * Deletes the blobs that no row refers to: of runs that are gone, and those left behind by writers. The row of a blob goes after its
 * bytes, so whoever dies in between is followed by another.
 */
export async function sweepBlobs(
  db: Db,
  blobs: Blobs,
  isStopped: () => boolean = () => false,
  leftBehindMs = LEFT_BEHIND_MS,
): Promise<void> {
  if (!blobs.isOpen) return;
  await letLeftBehindGo(db, leftBehindMs);
  for (let more = true; more && !isStopped(); ) {
    const due = await takeBlobsToDelete(db);
    if (due.keys.length === 0) return;
    await faultPoint("blob:before-delete");
    const { deleted, error } = await deleteAll(blobs, due.keys, isStopped);
    await faultPoint("blob:after-delete");
    await forgetBlobs(db, deleted);
    const kept = due.keys.filter((key) => !deleted.includes(key));
    if (error instanceof Abandoned) return;
    if (kept.length > 0) {
      await noteNotDeleted(db, kept, (JSON.parse(errorText(error)) as { message: string }).message.slice(0, 500));
      throw error;
    }
    more = due.more;
  }
}

/** After so many failures on end, the store is down rather than one of the keys refused. */
const FAILURES_ON_END = 3;

/** All at once; if that fails, one by one and in any order, so that a key that the store refuses for good holds up no other. */
async function deleteAll(blobs: Blobs, keys: readonly string[], isStopped: () => boolean) {
  const onAbandon = onceStopped(isStopped);
  try {
    await blobs.delete(keys, onAbandon);
    return { deleted: keys, error: undefined };
  } catch (error) {
    const deleted: string[] = [];
    let failures = keys.length === 1 ? FAILURES_ON_END : 0;
    for (const key of shuffled(keys)) {
      if (failures === FAILURES_ON_END || isStopped()) break;
      const done = await blobs.delete([key], onAbandon).then(
        () => true,
        () => false,
      );
      if (done) deleted.push(key);
      failures = done ? 0 : failures + 1;
    }
    return { deleted, error };
  }
}

/** Calls back once nothing more is to be begun; returns what ends that. */
const onceStopped = (isStopped: () => boolean) => (abandon: (error: Error) => void) => {
  const look = setInterval(() => {
    if (!isStopped()) return;
    clearInterval(look);
    abandon(new Abandoned("Nobody waits for it any more."));
  }, LOOK_MS);
  return () => clearInterval(look);
};

const shuffled = (keys: readonly string[]) =>
  keys
    .map((key) => ({ key, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ key }) => key);

export const blobLoop = (db: Db, blobs: Blobs, onTrouble: (error: unknown) => void) =>
  new Rounds((isStopped) => sweepBlobs(db, blobs, isStopped), PAUSE_MS, onTrouble);
