import { hasEnded } from "../engine/run";
import type { Db } from "../store/db";
import { selectRunStatus } from "../store/reads/run-detail";
import type { ChangeFeed } from "./change-feed";
import { unknownRun } from "./command";
import { LongPoll, type Waiting } from "./long-poll";

/** A note may get lost: the run is asked for by itself this often. */
const POLL_MS = 1_000;

/**
 * Resolves when the run has ended, and says so, or when the time is up.
 * @throws HandrailError `unknown_run`, or `too_busy` when too many wait already
 */
export async function waitForEnd(db: Db, feed: ChangeFeed, runId: string, waiting: Waiting) {
  if (await isOver(db, runId)) return true;
  if (waiting.waitMs === 0) return false;
  const poll = new LongPoll(feed, waiting, ({ runIds, many }) => many || runIds.includes(runId));
  try {
    for (;;) {
      if (await isOver(db, runId)) return true;
      if (!(await poll.again(POLL_MS))) return false;
    }
  } finally {
    poll.end();
  }
}

async function isOver(db: Db, runId: string): Promise<boolean> {
  const run = await selectRunStatus(db, runId);
  if (!run) throw unknownRun(runId);
  return hasEnded(run.status);
}
