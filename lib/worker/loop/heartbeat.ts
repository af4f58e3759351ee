import type { Db } from "../../store/db";
import { type Beat, beat, type News, readNews } from "../../store/workers/beat";
import { markLeaseLost } from "../../store/workers/workers";
import { Tally } from "../claims/tally";
import { Alarm } from "./alarm";

/** Heartbeats per lease: three may be lost before the fourth finds the lease expired. */
const BEATS_PER_LEASE = 4;
/**
 * An idle worker's lease is this many times as long, and so are the pauses between its heartbeats: each of them is a
 * durable commit. For long leases it stays the same: nobody should wait longer to learn that an idle worker is gone, and
 * after ten seconds of silence the console calls a heartbeat late.
 */
const IDLE_TIMES = 8;
const LONGEST_IDLE_LEASE_MS = 32_000;
/**
 * While an answer is late the next heartbeat is sent in parallel, on a second connection: an answer may take two fifths
 * of the lease, and a silently dead connection costs no lease.
 */
const BEATS_AT_ONCE = 2;
/** One more for the news. */
export const HEARTBEAT_CONNECTIONS = BEATS_AT_ONCE + 1;
/** A heartbeat that fails, as by a refused connection, is followed by the next one after this share of the lease. */
const RETRY_SHARE = 1 / 20;
/** Reads of the news that fail in a row before the log says so: each may have taken a whole lease. */
const WARN_AFTER = 2;
/**
 * At this share of the lease without an answered heartbeat the worker stops its work: before others may take it over.
 */
const SELF_FENCE_SHARE = 2 / 3;

interface HeartbeatEvents {
  /** The lease was extended: `rests` if by the longer one. */
  onBeat(rests: boolean): void;
  /** After each beat, if the news before has been answered, and with each glance of a worker that rests. */
  onNews(news: News): void;
  /** Several times in a row; the next beat asks again. */
  onNoNews(error: unknown): void;
  /** The lease has expired, or will before an answer could arrive: nothing more may be written. */
  onLost(): void;
}

interface HeartbeatSettings {
  leaseMs: number;
  /** Runs in hand. */
  running(): number;
  /** It owns no run: its lease may be longer. Default: never. */
  mayRest?(): boolean;
}

/** The worker's heartbeat, on separate connections, so that it never queues behind work. One for all its runs. */
export class Heartbeat {
  private stopped = false;
  /** When the last answered heartbeat was sent, or the claim that shortened the lease: it counts from then at the earliest. */
  private lastBeat = performance.now();
  /** How long the lease lasts from then on. */
  private lasts: number;
  /** The same for an idle worker. */
  private readonly idleLeaseMs: number;
  /** Of the last answered heartbeat, as `LongLease.after`. */
  private beatAt: string | null = null;
  /** In the database the lease may be the longer one: one was asked for, and no later answer says otherwise. */
  private mayBeLong = false;
  private nextAt = 0;
  private underWay = 0;
  private isAsking = false;
  private heardAt = Number.NEGATIVE_INFINITY;
  /** Times in a row. */
  private unheard = 0;
  /** That are under way. */
  private claims = 0;
  private readonly alarm = new Alarm();

  constructor(
    private readonly db: Db,
    private readonly workerId: number,
    private readonly settings: HeartbeatSettings,
    private readonly events: HeartbeatEvents,
    private readonly tally = new Tally(),
  ) {
    const { leaseMs } = settings;
    this.lasts = leaseMs;
    this.idleLeaseMs = Math.max(leaseMs, Math.min(leaseMs * IDLE_TIMES, LONGEST_IDLE_LEASE_MS));
  }

  /** For how long nothing has renewed the lease. */
  get silentMs(): number {
    return performance.now() - this.lastBeat;
  }

  /** How long the lease lasts without another heartbeat. */
  get leaseMs(): number {
    return this.lasts;
  }

  /** The worker is idle, and its heartbeats are far apart. */
  get rests(): boolean {
    return this.lasts > this.settings.leaseMs;
  }

  /**
   * A claim, and what is done with its runs. `claim` gets how long the lease lasts from its commit on if it takes runs; null
   * if it lasts no longer anyway. Until all is done, no heartbeat asks for the longer lease.
   */
  async during<Result extends { runs: readonly unknown[] }>(
    claim: (leaseMs: number | null) => Promise<Result>,
    take: (claimed: Result) => Promise<void>,
  ): Promise<Result> {
    const asked = performance.now();
    const { leaseMs } = this.settings;
    // However long the answer takes: the claim may have shortened the lease.
    const late = setTimeout(() => this.beatSoon(), leaseMs / BEATS_PER_LEASE);
    this.claims++;
    try {
      const claimed = await claim(this.mayBeLong ? leaseMs : null);
      if (claimed.runs.length > 0) this.onClaimed(asked);
      await take(claimed);
      return claimed;
    } catch (error) {
      this.beatSoon();
      throw error;
    } finally {
      clearTimeout(late);
      this.claims--;
    }
  }

  private onClaimed(asked: number): void {
    if (!this.mayBeLong && !this.rests) return;
    this.lasts = this.settings.leaseMs;
    this.lastBeat = Math.max(this.lastBeat, asked);
    this.beatBy(asked + this.lasts / BEATS_PER_LEASE);
  }

  private beatSoon(): void {
    if (this.mayBeLong) this.beatBy(performance.now());
  }

  /** Continues until it is stopped or the lease is lost. Resolves after the first heartbeat and its news. */
  async begin(): Promise<void> {
    const guard = setInterval(() => this.check(), this.settings.leaseMs / 20);
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
      await this.alarm.wait(this.nextAt - performance.now());
      if (this.stopped || performance.now() < this.nextAt) continue;
      if (this.underWay < BEATS_AT_ONCE) void this.beatOnce();
      else this.nextAt = performance.now() + this.settings.leaseMs / BEATS_PER_LEASE;
    }
  }

  private beatBy(at: number): void {
    if (at >= this.nextAt) return;
    this.nextAt = at;
    this.alarm.ring();
  }

  private async beatOnce(): Promise<void> {
    // The lease counts from the moment of sending at the latest, whenever the answer arrives.
    const asked = performance.now();
    const { running, leaseMs, mayRest } = this.settings;
    const isAlone = this.underWay + this.claims === 0;
    const after = isAlone && this.idleLeaseMs > leaseMs && mayRest?.() ? this.beatAt : null;
    if (after !== null) this.mayBeLong = true;
    this.nextAt = asked + leaseMs / BEATS_PER_LEASE;
    this.underWay++;
    let answer: Beat | null = null;
    try {
      answer = await beat(this.db, this.workerId, running(), leaseMs, { ms: this.idleLeaseMs, after });
      if (this.stopped) return;
      if (!answer) return this.lose();
      this.onAnswer(asked, answer);
    } catch {
      this.tally.heartbeatFailures++;
      // The guard decides when silence has lasted too long.
      this.beatBy(performance.now() + leaseMs * RETRY_SHARE);
    } finally {
      this.underWay--;
    }
    if (answer && !(answer.long && performance.now() - this.heardAt < leaseMs)) await this.askNews();
  }

  /** With a glance. */
  hear(news: News): void {
    if (news.held) this.heardAt = performance.now();
    this.onNews(news);
  }

  private onNews(news: News): void {
    if (news.held) this.events.onNews(news);
    // What took long may have been read before the last beat: the next one finds out, under the lock of the row.
    else this.beatBy(performance.now() + this.settings.leaseMs * RETRY_SHARE);
  }

  /** Those that take long must not keep the next heartbeats waiting for a connection. */
  private async askNews(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      const news = await readNews(this.db, this.workerId);
      this.unheard = 0;
      if (!this.stopped) this.onNews(news);
    } catch (error) {
      this.tally.heartbeatFailures++;
      if (++this.unheard === WARN_AFTER && !this.stopped) this.events.onNoNews(error);
    } finally {
      this.isAsking = false;
    }
  }

  private onAnswer(asked: number, answer: Beat): void {
    const { leaseMs } = this.settings;
    const tookMs = performance.now() - asked;
    this.tally.heartbeatMs.add(tookMs);
    this.mayBeLong = answer.long;
    // Otherwise a later one, or a claim, was answered before it.
    if (asked >= this.lastBeat) {
      this.lastBeat = asked;
      this.beatAt = answer.beatAt;
      this.lasts = answer.long ? this.idleLeaseMs : leaseMs;
      this.nextAt = Math.max(this.nextAt, asked + this.lasts / BEATS_PER_LEASE);
    }
    if (tookMs > leaseMs / BEATS_PER_LEASE) this.beatBy(performance.now());
    this.events.onBeat(answer.long);
  }

  /**
   * Gives the lease up when it may have expired. Also called before a body: the timers of a stopped process are late.
   */
  check(): void {
    if (this.silentMs > this.lasts * SELF_FENCE_SHARE) this.lose();
  }

  /** The lease is over: somebody has found it so. */
  lose(): void {
    if (this.stopped) return;
    this.stop();
    // For the next worker of this machine. The lease may be lost because the database cannot be reached.
    void markLeaseLost(this.db, this.workerId).catch(() => undefined);
    this.events.onLost();
  }
}
