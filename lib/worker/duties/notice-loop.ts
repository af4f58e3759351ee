import type { Db } from "../../store/db";
import { noticesWait } from "../../store/notices/notices";
import { OnCall } from "../loop/on-call";
import { handOverNotices } from "./hand-over-notices";

/** Until nothing is left to hand over, or it is late. Returns the runs that it started. */
export async function handOverAll(db: Db, isLate: () => boolean): Promise<string[]> {
  const started: string[] = [];
  for (let more = await noticesWait(db); more && !isLate(); ) {
    const handed = await handOverNotices(db);
    started.push(...handed.runIds);
    more = handed.more;
  }
  return started;
}

/** Every worker does, there is no leader: one hands over at a time, whichever comes first. */
export const noticeLoop = (
  db: Db,
  onStarted: (runIds: string[]) => void,
  onTrouble: (error: unknown) => void,
): OnCall =>
  new OnCall(async (isStopped) => {
    const started = await handOverAll(db, isStopped);
    if (started.length > 0) onStarted(started);
  }, onTrouble);
