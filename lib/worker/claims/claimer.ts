import type { Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { type Claim, claimBegun, claimOwn, claimRuns } from "../../store/workers/claim-runs";
import { handBackUnknown } from "../../store/workers/hand-back";
import { claimFromQueues } from "../queues/claim-from-queues";
import { Tally } from "./tally";

/** How often a worker whose workflows declare no limits checks the queues for runs. */
const LOOK_AT_QUEUES_MS = 5_000;
/** How often, at least, runs of versions that no live worker has are looked for, while there are others. */
const LOOK_AT_VACANT_MS = 1_000;
/** A claim whose answer was lost has ended by then: longer than the longest statement. */
const CLAIM_ENDS_MS = 60_000;

/** Claims runs for one worker: from queues and outside them in turns; of paused workflows only what has begun. */
export class Claimer {
  /** When a claim whose answer was lost has ended; undefined: none may still take runs. */
  private inDoubtUntil: number | undefined;
  private nextLookAtQueues = 0;
  private nextLookAtVacant = 0;

  constructor(
    private readonly db: Db,
    private readonly workerId: number,
    /** Every version that the worker has. */
    private readonly workflows: readonly Workflow[],
    /** How long no live worker must have had a version before another one continues its begun runs. */
    private readonly versionWaitMs: number,
    /** Ids of the runs that the worker knows it owns. */
    private readonly known: () => string[],
    /** Alternates, so that under load neither kind of runs starves the other. */
    private queuesFirst = false,
  ) {}

  /** A claim may still take runs that this worker does not know of. */
  get isInDoubt(): boolean {
    return this.inDoubtUntil !== undefined;
  }

  /**
   * A claim may commit although its answer is lost. Its runs would wait for as long as this worker lives: they are
   * handed back. `leaseMs`: as for `claimRuns`.
   */
  async claim(limit: number, tally = new Tally(), leaseMs: number | null = null): Promise<Claim> {
    if (this.inDoubtUntil !== undefined) await this.handBack(this.inDoubtUntil);
    const began = performance.now();
    try {
      const claim = await this.claimInTurns(limit, leaseMs);
      tally.polled(claim.runs, performance.now() - began);
      return claim;
    } catch (error) {
      tally.polls.failed++;
      this.inDoubtUntil = performance.now() + CLAIM_ENDS_MS;
      throw error;
    }
  }

  /** The claim may commit behind this one: the doubt ends only with one that begins once the claim has ended. */
  private async handBack(until: number): Promise<void> {
    const isLast = performance.now() >= until;
    await handBackUnknown(this.db, this.workerId, this.known());
    if (isLast) this.inDoubtUntil = undefined;
  }

  private async claimInTurns(limit: number, leaseMs: number | null): Promise<Claim> {
    const { db, workerId, workflows, versionWaitMs } = this;
    const direct = (room: number) => this.claimDirectly(room, leaseMs);
    if (!this.looksAtQueues()) return direct(limit);
    const queued = (room: number) => claimFromQueues(db, workerId, workflows, room, versionWaitMs, leaseMs);
    this.queuesFirst = !this.queuesFirst;
    const [first, second] = this.queuesFirst ? [queued, direct] : [direct, queued];
    const claim = await first(limit);
    return claim.runs.length >= limit ? claim : together(claim, await second(limit - claim.runs.length));
  }

  private async claimDirectly(limit: number, leaseMs: number | null): Promise<Claim> {
    const claim = await this.claimOpen(limit, leaseMs);
    const { closed, held } = claim;
    if (!closed || claim.runs.length >= limit) return claim;
    const goesOn = this.workflows.filter(({ name }) => closed.includes(name) && !held?.includes(name));
    if (goesOn.length === 0) return claim;
    const room = limit - claim.runs.length;
    return together(claim, await claimBegun(this.db, this.workerId, goesOn, room, this.versionWaitMs, leaseMs));
  }

  /** Of open intakes: what the own versions have to do first, since it is found in half the time. */
  private async claimOpen(limit: number, leaseMs: number | null): Promise<Claim> {
    if (performance.now() < this.nextLookAtVacant) {
      const claim = await claimOwn(this.db, this.workerId, this.workflows, limit, leaseMs);
      if (claim.runs.length > 0) return claim;
    }
    this.nextLookAtVacant = performance.now() + LOOK_AT_VACANT_MS;
    return claimRuns(this.db, this.workerId, this.workflows, limit, this.versionWaitMs, leaseMs);
  }

  /** Without a workflow that declares limits, only occasionally: for runs that were queued when one did. */
  private looksAtQueues(): boolean {
    if (this.workflows.some(({ queueing }) => queueing)) return true;
    if (performance.now() < this.nextLookAtQueues) return false;
    this.nextLookAtQueues = performance.now() + LOOK_AT_QUEUES_MS;
    return true;
  }
}

function together(one: Claim, other: Claim): Claim {
  const next = [one.nextDueInMs, other.nextDueInMs].filter((ms) => ms !== null);
  const [closed, held] = [one.closed ?? other.closed, one.held ?? other.held];
  return {
    runs: [...one.runs, ...other.runs],
    nextDueInMs: next.length > 0 ? Math.min(...next) : null,
    ...(closed && { closed }),
    ...(held && { held }),
  };
}
