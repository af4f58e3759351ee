import type { Db } from "../../store/db";
import { COUNTED_AT_ONCE, foldRollups } from "./fold-rollups";

/** An ended run is on the charts within two of these: one to see open transactions, one to see that they are done. */
const PAUSE_MS = 3_000;
/** Between two folds while there is more: the first folds count all existing runs. */
const BATCH_PAUSE_MS = 50;
/** After a fold that took longer, the next one has fewer runs: each may have thousands of steps. */
const LONG_MS = 1_000;
const LEAST_AT_ONCE = 50;

/** Until nothing is left to count, or it is late. */
export async function countAll(db: Db, isLate: () => boolean): Promise<void> {
  while ((await foldRollups(db)) && !isLate());
}

/**
 * Updates the rollups, in small batches. Every worker does, there is no leader: one folds at a time, whichever comes
 * first.
 */
export class RollupLoop {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;
  private atOnce = COUNTED_AT_ONCE;

  constructor(
    private readonly db: Db,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  start(): void {
    const began = performance.now();
    const took = () => performance.now() - began;
    this.round = foldRollups(this.db, this.atOnce)
      .then((more) => {
        this.adapt(took() > LONG_MS);
        return more ? BATCH_PAUSE_MS : PAUSE_MS;
      })
      .catch((error: unknown) => {
        this.adapt(took() > LONG_MS);
        this.onTrouble(error);
        return PAUSE_MS;
      })
      .then((pauseMs) => {
        if (!this.stopped) this.timer = setTimeout(() => this.start(), pauseMs);
      });
  }

  /** Resolves when no fold is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private adapt(wasLong: boolean): void {
    this.atOnce = wasLong ? Math.max(LEAST_AT_ONCE, this.atOnce >> 1) : Math.min(COUNTED_AT_ONCE, this.atOnce << 1);
  }
}
