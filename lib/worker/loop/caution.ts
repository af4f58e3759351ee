/**
 * A heartbeat at this share of the lease after the one before is late: a quarter is normal, two thirds end the lease.
 */
const LATE_SHARE = 0.4;
/** The share of all slots that each timely heartbeat adds. */
const GROWTH = 1 / 8;
const LEAST = 1 / 16;

/**
 * How many of its slots a worker fills. Late heartbeats mean that this machine is overloaded: after one, and after a
 * lost lease, the worker halves its slots, and adds some with each timely heartbeat. Claimed runs stay.
 */
export class Caution {
  private share: number;
  private lastBeat: number | undefined;

  /** `losses`: recently lost leases on this machine. */
  constructor(
    private readonly leaseMs: number,
    losses: number,
  ) {
    this.share = Math.max(LEAST, 2 ** -losses);
  }

  /** It fills all of its slots. */
  get isOver(): boolean {
    return this.share === 1;
  }

  /**
   * A heartbeat was answered. Returns whether there are more slots than before. `rests`: the next one comes much later, and
   * its pause says nothing.
   */
  onBeat(now = performance.now(), rests = false): boolean {
    const before = this.share;
    const { lastBeat } = this;
    this.lastBeat = rests ? undefined : now;
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
