import { type Change, MAX_NAMED } from "../../store/database/notify";

/**
 * A page is rendered before its stream is open. Changes of this many milliseconds are kept for the streams to come; a
 * page that took longer to open its stream reads everything again by itself.
 */
export const KEPT_MS = 10_000;

/** The last changes, each run once, as one change: bounded, however many there are. */
export class RecentChanges {
  /** When each run changed last; the oldest first. */
  private readonly changedAt = new Map<string, number>();
  private manyAt = Number.NEGATIVE_INFINITY;
  private knownFrom = Number.POSITIVE_INFINITY;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** What changed before this is not known. */
  begin(): void {
    this.changedAt.clear();
    this.manyAt = Number.NEGATIVE_INFINITY;
    this.knownFrom = this.now();
  }

  add({ runIds, many }: Change): void {
    const now = this.now();
    for (const runId of runIds) {
      this.changedAt.delete(runId);
      this.changedAt.set(runId, now);
    }
    this.forgetOld(now);
    if (!many && this.changedAt.size <= MAX_NAMED) return;
    this.manyAt = now;
    this.changedAt.clear();
  }

  /** Undefined when they are not all known. */
  all(): Change | undefined {
    const now = this.now();
    if (now - this.knownFrom < KEPT_MS) return undefined;
    this.forgetOld(now);
    return { runIds: [...this.changedAt.keys()], many: now - this.manyAt < KEPT_MS, urgent: false };
  }

  private forgetOld(now: number): void {
    for (const [runId, at] of this.changedAt) {
      if (now - at < KEPT_MS) return;
      this.changedAt.delete(runId);
    }
  }
}
