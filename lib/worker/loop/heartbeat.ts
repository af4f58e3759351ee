import type { Db } from "../../store/db";
import { type Beat, beat, markLeaseLost } from "../../store/workers/workers";
import { Tally } from "../claims/tally";
import { Alarm } from "./alarm";

/** Heartbeats per lease: three may be lost before the fourth finds the lease expired. */
const BEATS_PER_LEASE = 4;
/**
 * While an answer is late the next heartbeat is sent in parallel, on a second connection: an answer may take two fifths
 * of the lease, and a silently dead connection costs no lease.
 */
export const BEATS_AT_ONCE = 2;
/** A heartbeat that fails, as by a refused connection, is followed by the next one after this share of the lease. */
const RETRY_SHARE = 1 / 20;
/**
 * At this share of the lease without an answered heartbeat the worker stops its work: before others may take it over.
 */
const SELF_FENCE_SHARE = 2 / 3;

interface HeartbeatEvents {
  onBeat(beat: Beat): void;
  /** The lease has expired, or will before an answer could arrive: nothing more may be written. */
  onLost(): void;
}

/** The worker's heartbeat, on separate connections, so that it never queues behind work. One for all its runs. */
export class Heartbeat {
  private stopped = false;
  /** When the last answered heartbeat was sent: the lease counts from then at the earliest. */
  private lastBeat = performance.now();
  private underWay = 0;
  private readonly alarm = new Alarm();

  constructor(
    private readonly db: Db,
    private readonly workerId: number,
    private readonly leaseMs: number,
    private readonly running: () => number,
    private readonly events: HeartbeatEvents,
    private readonly tally = new Tally(),
  ) {}

  /** For how long nothing has renewed the lease. */
  get silentMs(): number {
    return performance.now() - this.lastBeat;
  }

  /** Continues until it is stopped or the lease is lost. Resolves after the first heartbeat. */
  async begin(): Promise<void> {
    const guard = setInterval(() => this.check(), this.leaseMs / 20);
    const first = this.beatOnce();
    void this.goOn().finally(() => clearInterval(guard));
    await first;
  }

  stop(): void {
    this.stopped = true;
    // Its process can end now, not when the next heartbeat would have been due.
    this.alarm.ring();
  }

  private async goOn(): Promise<void> {
    while (!this.stopped) {
      await this.alarm.wait(this.leaseMs / BEATS_PER_LEASE);
      if (!this.stopped && this.underWay < BEATS_AT_ONCE) void this.beatOnce();
    }
  }

  private async beatOnce(): Promise<void> {
    // The lease counts from the moment of sending at the latest, whenever the answer arrives.
    const asked = performance.now();
    this.underWay++;
    try {
      const answer = await beat(this.db, this.workerId, this.running(), this.leaseMs);
      if (this.stopped) return;
      if (!answer.held) return this.lose();
      this.lastBeat = Math.max(this.lastBeat, asked);
      const tookMs = performance.now() - asked;
      this.tally.heartbeatMs.add(tookMs);
      if (tookMs > this.leaseMs / BEATS_PER_LEASE) this.alarm.ring();
      this.events.onBeat(answer);
    } catch {
      this.tally.heartbeatFailures++;
      // The guard decides when silence has lasted too long.
      this.alarm.ringWithin(this.leaseMs * RETRY_SHARE);
    } finally {
      this.underWay--;
    }
  }

  /**
   * Gives the lease up when it may have expired. Also called before a body: the timers of a stopped process are late.
   */
  check(): void {
    if (this.silentMs > this.leaseMs * SELF_FENCE_SHARE) this.lose();
  }

  private lose(): void {
    if (this.stopped) return;
    this.stop();
    // For the next worker of this machine. The lease may be lost because the database cannot be reached.
    void markLeaseLost(this.db, this.workerId).catch(() => undefined);
    this.events.onLost();
  }
}
