import { HandrailError, unknownRun } from "../../engine/errors";
import { hasEnded, type RunStatus } from "../../engine/runs/run";
import type { Db } from "../../store/db";
import { selectRunStatuses } from "../../store/reads/run-detail";
import { selectPublishedNames } from "../../store/steps/published";
import type { ChangeFeed } from "./change-feed";
import type { Waiting } from "./long-poll";
import { Places } from "./places";

/** A notification may get lost: without one, the awaited runs are read this often. */
const POLL_MS = 1_000;
/** Concurrent waits in this process. One costs a few hundred bytes and its share of one read a second. */
const PLACES = { all: 4_000, ofOne: 2_000, kept: 500 };
/** Runs read by one statement. */
const READ_AT_ONCE = 1_000;

interface Wait {
  runId: string;
  /** What it waits for to be published, too; null: for the end alone. */
  name: string | null;
  by: string | null;
  /** The run was read once and had not ended: from then on the wait takes a place. */
  admitted: boolean;
  admit(): void;
  /** True: the run has ended, or has published the name. False: the timeout has passed, or the caller has left. */
  settle(come: boolean): void;
  refuse(error: unknown): void;
}

/*
 * Waits for the ends of runs, and for what they publish before. All waits share one listener of the feed. One statement at a time reads the runs that a
 * notification named, or all of them once a second; runs that become due during a statement go into the next.
 */
export class EndWaits {
  private readonly waits = new Map<string, Set<Wait>>();
  private readonly places = new Places(PLACES);
  private readonly toRead = new Set<string>();
  private reading = false;
  private unlisten: (() => void) | undefined;
  private closed = false;
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Db,
    private readonly feed: ChangeFeed,
    private readonly pollMs: number = POLL_MS,
  ) {}

  /** The process ends, and no wait goes on. */
  get isClosed(): boolean {
    return this.closed;
  }

  /**
   * Resolves with true when the run has ended; with false after the timeout or when the caller has left.
   * @throws HandrailError `unknown_run`, or `too_busy` when too many wait already
   */
  untilEnd(runId: string, waiting: Waiting): Promise<boolean> {
    return this.until(runId, null, waiting);
  }

  /** The same, and true as well once the run has published a value under the name. */
  untilPublished(runId: string, name: string, waiting: Waiting): Promise<boolean> {
    return this.until(runId, name, waiting);
  }

  private until(runId: string, name: string | null, { waitMs, signal, by }: Waiting): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = () => wait.settle(false);
      const over = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        this.remove(wait);
      };
      const wait: Wait = {
        runId,
        name,
        by,
        admitted: false,
        admit: () => {
          if (waitMs === 0 || signal.aborted) return leave();
          if (this.places.isFullFor(by)) return wait.refuse(tooMany());
          wait.admitted = true;
          this.places.take(by);
          timer = setTimeout(leave, waitMs);
          signal.addEventListener("abort", leave);
        },
        settle: (come) => {
          over();
          resolve(come);
        },
        refuse: (error) => {
          over();
          reject(error);
        },
      };
      if (waitMs > 0) this.listen();
      this.add(wait);
      this.look([runId]);
    });
  }

  private add(wait: Wait): void {
    const ofRun = this.waits.get(wait.runId) ?? new Set();
    this.waits.set(wait.runId, ofRun.add(wait));
  }

  private remove(wait: Wait): void {
    const ofRun = this.waits.get(wait.runId);
    if (!ofRun?.delete(wait)) return;
    if (ofRun.size === 0) this.waits.delete(wait.runId);
    if (wait.admitted) this.places.leave(wait.by);
    if (this.waits.size > 0) return;
    this.unlisten?.();
    this.unlisten = undefined;
    clearInterval(this.poll);
  }

  /** Before the first read, so that no end falls between the two. */
  private listen(): void {
    if (this.unlisten) return;
    this.unlisten = this.feed.listen({
      by: null,
      onChange: ({ runIds, many }) => this.look(many ? this.waits.keys() : runIds),
      onResync: () => this.look(this.waits.keys()),
      onClose: () => {
        this.closed = true;
        for (const wait of this.all()) wait.settle(false);
      },
    });
    this.poll = setInterval(() => this.look(this.waits.keys()), this.pollMs);
  }

  private look(runIds: Iterable<string>): void {
    for (const runId of runIds) if (this.waits.has(runId)) this.toRead.add(runId);
    if (!this.reading && this.toRead.size > 0) void this.readAll();
  }

  private async readAll(): Promise<void> {
    this.reading = true;
    // Requests from the same turn of the event loop share the statement.
    await Promise.resolve();
    while (this.toRead.size > 0) await this.readSome([...this.toRead].slice(0, READ_AT_ONCE));
    this.reading = false;
  }

  private async readSome(runIds: string[]): Promise<void> {
    for (const runId of runIds) this.toRead.delete(runId);
    // Not those that arrive while the statement runs: their run may be newer than its snapshot.
    const waits = runIds.flatMap((runId) => [...(this.waits.get(runId) ?? [])]);
    try {
      const named = waits.flatMap(({ runId, name }) => (name === null ? [] : [{ runId, name }]));
      const [statuses, published] = await Promise.all([
        selectRunStatuses(this.db, runIds),
        selectPublishedNames(this.db, named),
      ]);
      const come = new Set(published.map(({ runId, name }) => `${runId} ${name}`));
      for (const wait of waits) this.answer(wait, statuses.get(wait.runId), come.has(`${wait.runId} ${wait.name}`));
    } catch (error) {
      // Waits that exist already are read again with the next poll.
      for (const wait of waits) if (!wait.admitted) wait.refuse(error);
    }
  }

  private answer(wait: Wait, status: RunStatus | undefined, isPublished: boolean): void {
    // The timeout may have passed meanwhile.
    if (!this.waits.get(wait.runId)?.has(wait)) return;
    if (status === undefined) wait.refuse(unknownRun(wait.runId));
    else if (hasEnded(status) || isPublished) wait.settle(true);
    else if (!wait.admitted) wait.admit();
  }

  private all(): Wait[] {
    return [...this.waits.values()].flatMap((ofRun) => [...ofRun]);
  }
}

const tooMany = () =>
  new HandrailError("too_busy", "Too many wait for runs here. Ask again from time to time instead.");
