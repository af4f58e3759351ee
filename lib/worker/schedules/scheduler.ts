import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { Workflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { FailedSchedules } from "./failed-schedules";
import { type FiringRound, fireDueSchedules } from "./fire-schedules";

/**
 * A schedule that is due although a round has just found nothing is locked by another transaction: it is not polled
 * without a pause.
 */
const MIN_PAUSE_MS = 50;
/** After a round that failed. */
const AFTER_TROUBLE_MS = 1_000;
/** Timers of Node overflow; more distant times are reported again, with every heartbeat. */
const MAX_TIMER_MS = 3_600_000;

interface SchedulerEvents {
  onFired(round: FiringRound): void;
  /** A schedule failed, and others went on. */
  onFailure(schedule: string, error: unknown): void;
  onTrouble(error: unknown): void;
}

/**
 * Fires schedules when the database says that they are due. Every worker does, there is no leader. The worker's
 * heartbeat and every round return the delay until the next check: an idle scheduler queries nothing.
 */
export class Scheduler {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;
  private readonly failed = new FailedSchedules((schedule, error) => this.events.onFailure(schedule, error));

  constructor(
    private readonly db: Db,
    private readonly workerId: number,
    private readonly workflows: ReadonlyMap<string, Workflow>,
    private readonly auditKeys: AuditKeys,
    private readonly events: SchedulerEvents,
  ) {}

  /** `inMs`: until the first schedule is due; null when there is none. */
  expect(inMs: number | null): void {
    clearTimeout(this.timer);
    if (inMs === null || this.stopped || this.round) return;
    this.timer = setTimeout(() => void this.look(), Math.min(Math.max(inMs, 0), MAX_TIMER_MS));
  }

  /** Resolves when no round is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }

  /** Fires what is due now. Resolves when that round is over. */
  look(): Promise<void> {
    this.round ??= this.fire().then((inMs) => {
      this.round = undefined;
      this.expect(inMs === null ? null : Math.max(inMs, MIN_PAUSE_MS));
    });
    return this.round;
  }

  private async fire(): Promise<number | null> {
    try {
      const round = await fireDueSchedules(this.db, this.workerId, this.workflows, this.auditKeys, this.failed);
      if (round.started.length > 0 || round.cancelled.length > 0) this.events.onFired(round);
      return round.nextInMs;
    } catch (error) {
      this.events.onTrouble(error);
      return AFTER_TROUBLE_MS;
    }
  }
}
