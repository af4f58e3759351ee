/** So many refusals a minute are written of one caller; a person who is told "no" more often than this is no person. */
const PER_CALLER = 60;
/** And so many of all callers together, whatever they call themselves. */
const IN_ALL = 600;
const WINDOW_MS = 60_000;

/**
 * Keeps whoever asks for what they may not from flooding the audit. In this process's memory: a bound, not a promise.
 * What is left out is counted, and told with the next refusal that is written.
 */
export class RefusalBudget {
  private since = 0;
  private written = 0;
  private omitted = 0;
  private readonly byCaller = new Map<string, number>();

  constructor(private readonly now: () => number = Date.now) {}

  /** How many were left out since the last that was written; null when this one is to be left out, too. */
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
