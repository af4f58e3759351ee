/** A beat that comes this share of the lease after the one before is late: a quarter is what it should be, two thirds end the lease. */
const LATE_SHARE = 0.4;
/** What each beat in time adds, of all places. */
const GROWTH = 1 / 8;
const LEAST = 1 / 16;

/**
 * How many of its places a worker fills. Late beats mean that this machine is short of time: after one, and after a lost lease,
 * the worker takes half as many runs, and more again with each beat that comes in time. What it holds, it keeps.
 */
export class Caution {
  private share: number;
  private lastBeat: number | undefined;

  /** `losses`: leases that were lost on this machine of late. */
  constructor(
    private readonly leaseMs: number,
    losses: number,
  ) {
    this.share = Math.max(LEAST, 2 ** -losses);
  }

  /** A beat was answered. Says whether there are more places than before. */
  onBeat(now = performance.now()): boolean {
    const before = this.share;
    const { lastBeat } = this;
    this.lastBeat = now;
    if (lastBeat === undefined) return false;
    const isLate = now - lastBeat > this.leaseMs * LATE_SHARE;
    this.share = isLate ? Math.max(LEAST, before / 2) : Math.min(1, before + GROWTH);
    return this.share > before;
  }

  /** At least one. */
  placesOf(concurrency: number): number {
    return Math.max(1, Math.floor(concurrency * this.share));
  }
}
