/** So long, this worker leaves a schedule alone whose firing failed: it delays no other, and the log stays readable. */
const RETRY_MS = 60_000;

/**
 * The schedules that one worker could not fire. Kept in the process and not in the row: a worker of other code may be
 * able to fire them, and they stay due, for alerts and for the doctor.
 */
export class FailedSchedules {
  private readonly failedAt = new Map<string, number>();

  constructor(private readonly onFailure: (schedule: string, error: unknown) => void = () => undefined) {}

  note(schedule: string, error: unknown): void {
    this.failedAt.set(schedule, performance.now());
    this.onFailure(schedule, error);
  }

  /** Those whose retry is not due yet. */
  names(): string[] {
    for (const [name, at] of this.failedAt) if (performance.now() - at >= RETRY_MS) this.failedAt.delete(name);
    return [...this.failedAt.keys()];
  }

  /** Until the first retry, in milliseconds; null when nothing has failed. */
  nextInMs(): number | null {
    const first = Math.min(...this.failedAt.values());
    return Number.isFinite(first) ? Math.max(first + RETRY_MS - performance.now(), 0) : null;
  }
}
