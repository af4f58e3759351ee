import { hasEnded } from "../engine/run";
import type { Db } from "../store/db";
import { selectRunStatus } from "../store/reads/run-detail";
import type { ChangeFeed } from "./change-feed";
import { unknownRun } from "./command";

/** A note may get lost: the run is asked for by itself this often. */
const POLL_MS = 1_000;

export interface Waiting {
  waitMs: number;
  /** Whoever waits has gone. */
  signal: AbortSignal;
}

/**
 * Resolves when the run has ended, and says so, or when the time is up. No connection is held meanwhile.
 * @throws HandrailError `unknown_run`, or `too_busy` when too many wait already
 */
export async function waitForEnd(db: Db, feed: ChangeFeed, runId: string, { waitMs, signal }: Waiting) {
  if (await isOver(db, runId)) return true;
  if (waitMs === 0) return false;
  const deadline = performance.now() + waitMs;
  const wake = new Wake();
  let givenUp = false;
  const giveUp = () => {
    givenUp = true;
    wake.up();
  };
  feed.refuseWhenFull();
  const unlisten = feed.listen({
    onChange: ({ runIds, many }) => {
      if (many || runIds.includes(runId)) wake.up();
    },
    onResync: () => wake.up(),
    onClose: giveUp,
  });
  signal.addEventListener("abort", giveUp);
  try {
    for (;;) {
      if (await isOver(db, runId)) return true;
      const left = deadline - performance.now();
      if (left <= 0 || givenUp) return false;
      await wake.within(Math.min(left, POLL_MS));
    }
  } finally {
    unlisten();
    signal.removeEventListener("abort", giveUp);
  }
}

async function isOver(db: Db, runId: string): Promise<boolean> {
  const run = await selectRunStatus(db, runId);
  if (!run) throw unknownRun(runId);
  return hasEnded(run.status);
}

/** A nap that a note may cut short; a note that came during the question before cuts the next one. */
class Wake {
  private called = false;
  private end: (() => void) | undefined;

  up(): void {
    this.called = true;
    this.end?.();
  }

  async within(ms: number): Promise<void> {
    if (!this.called)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.called = false;
  }
}
