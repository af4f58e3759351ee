import type { WaitKind } from "../../engine/runs/run";

/** What a step of a pass waits for. */
export interface Wait {
  kind: WaitKind;
  /** As the database writes instants; null when only a person or an event ends the wait. */
  dueAt: string | null;
  dueInMs: number | null;
}

/** Timers of Node overflow at 2^31 ms; longer waits are checked again. */
const MAX_TIMER_MS = 3_600_000;

/** Kinds of waits that others end. */
const WOKEN: ReadonlySet<WaitKind> = new Set(["event", "approval", "child", "permit"]);

/** The waits of the branches of one pass, while its run is in memory. */
export class Waits {
  private readonly open = new Map<string, Wait>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly wakers = new Set<() => void>();

  /** By the names of their steps. */
  get all(): ReadonlyMap<string, Wait> {
    return this.open;
  }

  /** Resolves when the wait is due, or woken. */
  until(step: string, wait: Wait): Promise<void> {
    this.open.set(step, wait);
    const dueAt = performance.now() + (wait.dueInMs ?? Number.POSITIVE_INFINITY);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(this.timers.get(step));
        this.timers.delete(step);
        this.wakers.delete(end);
        this.open.delete(step);
        resolve();
      };
      const look = () => {
        const left = dueAt - performance.now();
        if (left > 0) this.timers.set(step, setTimeout(look, Math.min(left, MAX_TIMER_MS)));
        else end();
      };
      if (WOKEN.has(wait.kind)) this.wakers.add(end);
      if (wait.dueInMs !== null) look();
    });
  }

  /** Something may have arrived for waits on others: they check again. */
  wake(): void {
    for (const end of [...this.wakers]) end();
  }

  /** None of them ends any more. */
  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.wakers.clear();
  }
}
