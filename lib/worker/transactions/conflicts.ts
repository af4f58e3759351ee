import { backoffMs, sleep } from "../../store/database/backoff";
import { isTrouble } from "../../store/database/trouble";
import { sqlState } from "../../store/db";
import type { Tally } from "../claims/tally";

/** Conflicts between transactions are Postgres's request to retry; after this many the attempt fails. */
const MAX_CONFLICTS = 10;
/**
 * A transaction that could not begin, or whose database failed, has done nothing. A caller that waits for the database
 * between two of them counts only failures of this transaction alone; after this many the attempt fails.
 */
const MAX_TROUBLES = 10;

/**
 * Runs a whole transaction, and again while it conflicts with others, cannot begin, or loses its database: none of
 * these is the body's failure.
 * @param transaction calls `begun` when its body is about to run
 */
export async function againOnConflict<Result>(
  transaction: (begun: () => void) => Promise<Result>,
  signal: AbortSignal,
  { transactionsAgain }: Tally,
): Promise<Result> {
  for (let conflicts = 0, troubles = 0; ; ) {
    let hasBegun = false;
    try {
      return await transaction(() => {
        // Its result is no longer needed.
        signal.throwIfAborted();
        hasBegun = true;
      });
    } catch (error) {
      if (signal.aborted) throw error;
      const conflict = hasBegun && isConflict(error);
      if (hasBegun && !conflict && !isTrouble(error)) throw error;
      if (conflict ? ++conflicts > MAX_CONFLICTS : ++troubles > MAX_TROUBLES) throw error;
      transactionsAgain[conflict ? "conflict" : "database"]++;
      await sleep(conflict ? backoffMs(conflicts) / 10 : backoffMs(troubles));
    }
  }
}

/** The same for a transaction in which no author's code runs. */
export async function againOnDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let conflicts = 1; ; conflicts++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isConflict(error) || conflicts > MAX_CONFLICTS) throw error;
      await sleep(backoffMs(conflicts) / 10);
    }
  }
}

// Serialization failure and deadlock.
const isConflict = (error: unknown) =>
  ["40001", "40P01"].includes(sqlState(error) ?? "") || (error as { code?: unknown })?.code === "P2034";
