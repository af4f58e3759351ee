import { backoffMs, sleep } from "../store/backoff";
import { sqlState } from "../store/db";

/** Conflicts between transactions are Postgres's way of saying "again"; after this many the attempt fails. */
const MAX_CONFLICTS = 10;
/** A transaction that could not be begun has done nothing, for want of a connection mostly; after this many the attempt fails. */
const MAX_FALSE_STARTS = 10;

/**
 * Runs a whole transaction, and again while it meets conflicts with others or cannot be begun: neither is the body's failure.
 * @param transaction calls `begun` when its body is about to run
 */
export async function againOnConflict<Result>(
  transaction: (begun: () => void) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (let conflicts = 0, falseStarts = 0; ; ) {
    let hasBegun = false;
    try {
      return await transaction(() => {
        // Nobody waits for what would come of it.
        signal.throwIfAborted();
        hasBegun = true;
      });
    } catch (error) {
      if (signal.aborted) throw error;
      if (hasBegun && (!isConflict(error) || ++conflicts > MAX_CONFLICTS)) throw error;
      if (!hasBegun && ++falseStarts > MAX_FALSE_STARTS) throw error;
      await sleep(hasBegun ? backoffMs(conflicts) / 10 : backoffMs(falseStarts));
    }
  }
}

// Serialization failure and deadlock.
const isConflict = (error: unknown) =>
  ["40001", "40P01"].includes(sqlState(error) ?? "") || (error as { code?: unknown })?.code === "P2034";
