import type { Blobs } from "../../blobs/blobs";
import { forgetBlobs, letLeftBehindGo, noteNotDeleted, takeBlobsToDelete } from "../../store/blobs/sweep";
import type { Db } from "../../store/db";
import { faultPoint } from "../fault-points";
import { Rounds } from "../loop/rounds";
import { errorText } from "../steps/error-text";

const PAUSE_MS = 10_000;
/** Longer than any start takes from its first byte in the store to its commit. */
export const LEFT_BEHIND_MS = 3_600_000;

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
    try {
      await blobs.delete(due.keys);
    } catch (error) {
      await noteNotDeleted(db, due.keys, (JSON.parse(errorText(error)) as { message: string }).message.slice(0, 500));
      throw error;
    }
    await faultPoint("blob:after-delete");
    await forgetBlobs(db, due.keys);
    more = due.more;
  }
}

export const blobLoop = (db: Db, blobs: Blobs, onTrouble: (error: unknown) => void) =>
  new Rounds((isStopped) => sweepBlobs(db, blobs, isStopped), PAUSE_MS, onTrouble);
