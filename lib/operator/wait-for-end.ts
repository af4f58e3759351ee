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
 * @throws HandrailError `unknown_run`
 */
export async function waitForEnd(db: Db, feed: ChangeFeed, runId: string, { waitMs, signal }: Waiting) {
  const deadline = performance.now() + waitMs;
  const wake = new Wake();
  const onChange = ({ runIds, many }: { runIds: string[]; many: boolean }) => {
    if (many || runIds.includes(runId)) wake.up();
  };
  const unlisten =
    waitMs > 0 ? feed.listen({ onChange, onResync: () => wake.up(), onClose: () => wake.up() }) : undefined;
  try {
    for (;;) {
      const run = await selectRunStatus(db, runId);
      if (!run) throw unknownRun(runId);
      const left = deadline - performance.now();
      if (hasEnded(run.status)) return true;
      if (left <= 0 || signal.aborted) return false;
      await wake.within(Math.min(left, POLL_MS));
    }
  } finally {
    unlisten?.();
  }
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
