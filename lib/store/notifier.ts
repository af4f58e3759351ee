import type { Db } from "./db";
import { sendChange, sendWork } from "./notify";

const WORK_INTERVAL_MS = 20;
const CHANGE_INTERVAL_MS = 250;
/** More ids than this are not named. A note takes 8,000 bytes at most, which 200 ids would fill. */
const MAX_NAMED = 100;

/** Sends notes about committed changes: the first at once, what follows gathered. A note that cannot be sent is dropped. */
export class Notifier {
  private changed = new Set<string>();
  private many = false;
  private readonly workNotes: Coalescer;
  private readonly changeNotes: Coalescer;

  constructor(db: Db) {
    this.workNotes = new Coalescer(WORK_INTERVAL_MS, () => sendWork(db));
    this.changeNotes = new Coalescer(CHANGE_INTERVAL_MS, () => sendChange(db, this.takeChange()));
  }

  /** Some run has become claimable. */
  work(): void {
    this.workNotes.note();
  }

  change(runIds: Iterable<string>): void {
    for (const runId of runIds) {
      if (this.changed.size < MAX_NAMED || this.changed.has(runId)) this.changed.add(runId);
      else this.many = true;
    }
    if (this.changed.size > 0) this.changeNotes.note();
  }

  /** Resolves when the last note is on its way; none is sent after that. */
  async close(): Promise<void> {
    await Promise.all([this.workNotes.close(), this.changeNotes.close()]);
  }

  private takeChange() {
    const change = { runIds: this.many ? [] : [...this.changed], many: this.many };
    this.changed.clear();
    this.many = false;
    return change;
  }
}

class Coalescer {
  private wanted = false;
  private closed = false;
  private sending: Promise<void> | undefined;
  private endPause: (() => void) | undefined;

  constructor(
    private readonly intervalMs: number,
    private readonly send: () => Promise<void>,
  ) {}

  note(): void {
    if (this.closed) return;
    this.wanted = true;
    this.sending ??= this.sendWhileWanted();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.endPause?.();
    await this.sending;
  }

  private async sendWhileWanted(): Promise<void> {
    while (this.wanted) {
      this.wanted = false;
      // Those who listen ask by themselves after a while: a lost note costs time, never a run.
      await this.send().catch(() => undefined);
      await this.pause();
    }
    this.sending = undefined;
  }

  private pause(): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.intervalMs);
      timer.unref();
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
