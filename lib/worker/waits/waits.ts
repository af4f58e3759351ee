import type { WaitKind } from "../../engine/runs/run";

/** What a step of a pass waits for. */
export interface Wait {
  kind: WaitKind;
  /** As the database writes instants; null when only a person or an event ends the wait. */
  dueAt: string | null;
  dueInMs: number | null;
}

interface OpenWait extends Wait {
  timer: NodeJS.Timeout | undefined;
  end: () => void;
}

/** Timers of Node overflow at 2^31 ms; longer waits are checked again. */
const MAX_TIMER_MS = 3_600_000;

/** Kinds of waits that others end. */
const WOKEN: ReadonlySet<WaitKind> = new Set(["event", "approval", "child", "permit"]);

/** The waits of the branches of one pass, while its run is in memory. */
export class Waits {
  private readonly open = new Map<string, OpenWait>();
  private closed = false;

  /** By the names of their steps. */
  get all(): ReadonlyMap<string, Wait> {
    return this.open;
  }

  /** Resolves when the wait is due, or woken; never once they are closed. */
  until(step: string, wait: Wait): Promise<void> {
    // Code of a pass that is over may still come to its next sleep: a timer of it would keep the process from its end.
    if (this.closed) return new Promise(() => undefined);
    const dueAt = performance.now() + (wait.dueInMs ?? Number.POSITIVE_INFINITY);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(open.timer);
        this.open.delete(step);
        resolve();
      };
      const open: OpenWait = { ...wait, timer: undefined, end };
      const look = () => {
        const left = dueAt - performance.now();
        if (left > 0) open.timer = setTimeout(look, Math.min(left, MAX_TIMER_MS));
        else end();
      };
      this.open.set(step, open);
      if (wait.dueInMs !== null) look();
    });
  }

  /** Something may have arrived for waits on others: they check again. */
  wake(): void {
    if (this.closed) return;
    for (const { kind, end } of [...this.open.values()]) if (WOKEN.has(kind)) end();
  }

  /** None of them ends any more. */
  close(): void {
    this.closed = true;
    for (const { timer } of this.open.values()) clearTimeout(timer);
  }
}
