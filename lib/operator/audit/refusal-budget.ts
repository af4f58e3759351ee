/** Refusals recorded per minute and caller; more than this comes from a script, not from a user. */
const PER_CALLER = 60;
/** Refusals recorded per minute of all callers together, whatever names they use. */
const IN_ALL = 600;
const WINDOW_MS = 60_000;

/**
 * Keeps refused requests from flooding the audit log. In this process's memory: a bound, not a promise. Rows left out
 * are counted, and the next refusal that is written reports the count.
 */
export class RefusalBudget {
  private since = 0;
  private written = 0;
  private omitted = 0;
  private readonly byCaller = new Map<string, number>();

  constructor(private readonly now: () => number = Date.now) {}

  /** How many were left out since the last one written; null when this one is to be left out, too. */
  take(caller: string): number | null {
    if (this.now() - this.since >= WINDOW_MS) this.begin();
    const ofCaller = this.byCaller.get(caller) ?? 0;
    if (ofCaller >= PER_CALLER || this.written >= IN_ALL) {
      this.omitted += 1;
      return null;
    }
    this.byCaller.set(caller, ofCaller + 1);
    this.written += 1;
    const { omitted } = this;
    this.omitted = 0;
    return omitted;
  }

  private begin(): void {
    this.since = this.now();
    this.written = 0;
    this.byCaller.clear();
  }
}
