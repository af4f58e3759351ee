import { HandrailError } from "../errors";

/** What a start may allow at most, from when it is due: a year. */
const MOST_MS = 366 * 86_400_000;

/** How long the run of a start may take, in milliseconds from when it is due, by the database's clock. */
export interface StartLimits {
  /** The run is cancelled if no worker has begun it by then. Up to a year. */
  beginWithinMs?: number;
  /** The run fails if it has not ended by then, as at its workflow's `timeoutMs`; the earlier of both counts. Up to a year. */
  endWithinMs?: number;
}

/** @throws HandrailError `invalid_request` */
export function checkLimits({ beginWithinMs, endWithinMs }: StartLimits, { debounced }: { debounced: boolean }): void {
  for (const [name, ms] of Object.entries({ beginWithinMs, endWithinMs })) {
    if (ms === undefined) continue;
    if (!(ms > 0 && ms <= MOST_MS))
      throw new HandrailError("invalid_request", `${name} is a number of milliseconds from more than 0 to a year.`);
    if (debounced)
      throw new HandrailError("invalid_request", `A debounced start takes no ${name}: later starts postpone its run.`);
  }
}

/** Why a run is cancelled that no worker has begun in time. */
export const startExpired = () =>
  new HandrailError("start_expired", "No worker began the run within the time that its start allowed (beginWithinMs).");

/** @param timeoutMs of its workflow */
export const runTimedOut = (timeoutMs?: number) =>
  new HandrailError(
    "run_timed_out",
    timeoutMs === undefined
      ? "The run did not end within the time that its start allowed (endWithinMs)."
      : `The run did not end by its deadline. Its workflow allows ${timeoutMs} ms.`,
  );
