import { selectReadiness } from "../../store/database/readiness";
import { within } from "../../store/database/within";
import type { Db } from "../../store/db";

/** A database that works answers this in a millisecond. */
export const ANSWER_MS = 1_500;

export { within };

/** Whether the database answers now: one small question at a time, for all who want to know. */
export class DatabasePulse {
  private asking: Promise<boolean> | undefined;

  constructor(private readonly ask: () => Promise<unknown>) {}

  /** Within `ms`, also while the database hangs. */
  answers(ms = ANSWER_MS): Promise<boolean> {
    this.asking ??= this.ask()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.asking = undefined;
      });
    return within(this.asking, ms, false);
  }
}

const pulses = new WeakMap<Db, DatabasePulse>();

/** Of this process: however many streams and probes ask. */
export function pulseOf(db: Db): DatabasePulse {
  const pulse = pulses.get(db) ?? new DatabasePulse(() => selectReadiness(db));
  pulses.set(db, pulse);
  return pulse;
}
