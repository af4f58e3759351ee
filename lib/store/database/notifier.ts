import type { Db } from "../db";
import { type Change, hasNoNotes, MAX_NAMED, sendChanges, sendWork } from "./notify";

/** Interval of published progress. */
const GATHER_MS = 250;
/** On a server that has no NOTIFY: it may lead to another one by then. */
const ASK_AGAIN_MS = 60_000;
/** Most urgent runs that one statement names, in notifications of MAX_NAMED each. */
const MAX_URGENT = 2_000;

/*
 * Publishes committed changes. Urgent ones go out at once: claimable work, ends, runs that need attention. They are
 * batched without a timer: changes during one notification go into the next, so that a flush of a hundred ends is one
 * statement. Progress is gathered. A notification that cannot be sent is dropped.
 */
export class Notifier {
  private readonly changed = new NamedRuns(MAX_NAMED);
  private readonly urgent = new NamedRuns(MAX_URGENT);
  private readonly workNotes: Coalescer;
  private readonly changeNotes: Coalescer;
  private readonly urgentNotes: Coalescer;

  /** @param gatherMs interval of published progress; default 250 */
  constructor(db: Db, gatherMs: number = GATHER_MS) {
    this.workNotes = new Coalescer(() => sendWork(db));
    this.changeNotes = new Coalescer(() => sendChanges(db, this.changed.take()), gatherMs);
    this.urgentNotes = new Coalescer(() => sendChanges(db, this.urgent.take({ urgent: true })));
  }

  /** Some run has become claimable. */
  work(): void {
    this.workNotes.note();
  }

  /** Progress of these runs: the first is published at once, the rest is gathered. */
  change(runIds: Iterable<string>): void {
    if (this.changed.add(runIds)) this.changeNotes.note();
  }

  /** These runs have ended, need attention, or were changed by a person: published at once. */
  changeAtOnce(runIds: Iterable<string>): void {
    if (this.urgent.add(runIds)) this.urgentNotes.note();
  }

  /** Resolves when the last notification is sent; none is sent after that. */
  async close(): Promise<void> {
    await Promise.all([this.workNotes.close(), this.changeNotes.close(), this.urgentNotes.close()]);
  }
}

/** Ids to publish, up to a number; beyond it, only that there are many. */
class NamedRuns {
  private readonly ids = new Set<string>();
  private many = false;

  constructor(private readonly most: number) {}

  /** False: there is nothing to publish. */
  add(runIds: Iterable<string>): boolean {
    for (const runId of runIds) {
      if (this.ids.size < this.most || this.ids.has(runId)) this.ids.add(runId);
      else this.many = true;
    }
    return this.ids.size > 0;
  }

  take(more: Partial<Change> = {}): Change[] {
    const ids = this.many ? [] : [...this.ids];
    const { many } = this;
    this.ids.clear();
    this.many = false;
    if (many) return [{ runIds: [], many, ...more }];
    const changes: Change[] = [];
    for (let from = 0; from < ids.length; from += MAX_NAMED)
      changes.push({ runIds: ids.slice(from, from + MAX_NAMED), many, ...more });
    return changes;
  }
}

/** One notification at a time, with an optional pause after each; changes meanwhile go into the next. */
class Coalescer {
  private wanted = false;
  private closed = false;
  private silentUntil = 0;
  private sending: Promise<void> | undefined;
  private endPause: (() => void) | undefined;

  constructor(
    private readonly send: () => Promise<void>,
    private readonly pauseMs = 0,
  ) {}

  note(): void {
    if (this.closed || performance.now() < this.silentUntil) return;
    this.wanted = true;
    this.sending ??= this.sendWhileWanted();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.endPause?.();
    await this.sending;
  }

  private async sendWhileWanted(): Promise<void> {
    // Includes what the rest of this turn of the event loop publishes, such as all the ends of one flush.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.wanted) {
      this.wanted = false;
      // Listeners also poll: a lost notification costs time, never a run.
      await this.send().catch((error: unknown) => {
        if (hasNoNotes(error)) this.silentUntil = performance.now() + ASK_AGAIN_MS;
      });
      await this.pause();
    }
    this.sending = undefined;
  }

  private pause(): Promise<void> {
    if (this.closed || this.pauseMs === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.pauseMs);
      timer.unref();
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
