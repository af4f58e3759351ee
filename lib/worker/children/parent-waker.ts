import type { Db } from "../../store/db";
import { wakeAllParents, wakeParents } from "../../store/runs/wake-parents";
import { faultPoint } from "../fault-points";

/**
 * Wakes parents whose children have ended, after the commit of that end. There is no timer: ends during one statement
 * go into the next. What cannot be delivered is left to the next sweep, of any worker.
 */
export class ParentWaker {
  private readonly parents = new Set<string>();
  private sweeping = false;
  private closed = false;
  private round: Promise<void> | undefined;

  /** @param onWoken gets the ids of the runs that became claimable */
  constructor(
    private readonly db: Db,
    private readonly onWoken: (runIds: string[]) => void,
  ) {}

  /** A child of this run may have ended. */
  notify(parentRunId: string): void {
    this.parents.add(parentRunId);
    this.begin();
  }

  /** With each heartbeat: wakes the parents that were missed. */
  sweep(): void {
    this.sweeping = true;
    this.begin();
  }

  get isIdle(): boolean {
    return this.round === undefined;
  }

  /** Resolves when nothing is in flight. */
  async settled(): Promise<void> {
    await this.round;
  }

  /** The same, and sends nothing after it. */
  async close(): Promise<void> {
    await this.settled();
    this.closed = true;
  }

  private begin(): void {
    if (this.closed) return;
    this.round ??= this.wakeGathered().finally(() => {
      this.round = undefined;
    });
  }

  private async wakeGathered(): Promise<void> {
    // Batches the other ends of this turn of the event loop.
    await Promise.resolve();
    while (this.parents.size > 0 || this.sweeping) {
      const parents = [...this.parents];
      this.parents.clear();
      try {
        const woken = await this.wake(parents);
        if (woken.length > 0) this.onWoken(woken);
      } catch {
        // The mark is recorded with the child's end: the next heartbeat's sweep finds it.
      }
    }
  }

  private async wake(parents: string[]): Promise<string[]> {
    if (this.sweeping) {
      this.sweeping = false;
      return wakeAllParents(this.db);
    }
    await faultPoint("wake:before");
    const woken = await wakeParents(this.db, parents);
    await faultPoint("wake:after");
    return woken;
  }
}
