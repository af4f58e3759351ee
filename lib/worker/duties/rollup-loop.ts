import type { Db } from "../../store/db";
import { COUNTED_AT_ONCE, foldRollups } from "./fold-rollups";

/** An ended run is on the charts within two of these: one to see open transactions, one to see that they are done. */
const PAUSE_MS = 3_000;
/** Between two folds while there is more, which the first folds have: a multiple of the last one's time, so that runs go first. */
const REST_AFTER = 4;
/** After a fold that took longer, the next one has fewer runs: each may have thousands of steps. */
const LONG_MS = 1_000;
const LEAST_AT_ONCE = 50;

/** Until nothing is left to count, or it is late. */
export async function countAll(db: Db, isLate: () => boolean): Promise<void> {
  while ((await foldRollups(db)) && !isLate());
}

/**
 * Updates the rollups when it is rung, in small batches. Every worker does, there is no leader: one folds at a time,
 * whichever comes first.
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
    this.ring();
  }

  /** There is something to count. Ignored while it counts, and in the pause after it. */
  ring(): void {
    if (this.stopped || this.timer) return;
    this.round ??= this.fold().then(({ more, tookMs }) => {
      this.round = undefined;
      this.adapt(tookMs > LONG_MS);
      if (this.stopped) return;
      this.timer = setTimeout(
        () => {
          this.timer = undefined;
          if (more) this.ring();
        },
        more ? Math.min(REST_AFTER * tookMs, PAUSE_MS) : PAUSE_MS,
      );
    });
  }

  /** Resolves when no fold is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  private async fold(): Promise<{ more: boolean; tookMs: number }> {
    const began = performance.now();
    const more = await foldRollups(this.db, this.atOnce).catch((error: unknown) => {
      this.onTrouble(error);
      return false;
    });
    return { more, tookMs: performance.now() - began };
  }

  private adapt(wasLong: boolean): void {
    this.atOnce = wasLong ? Math.max(LEAST_AT_ONCE, this.atOnce >> 1) : Math.min(COUNTED_AT_ONCE, this.atOnce << 1);
  }
}
