import { backoffMs, sleep } from "../store/backoff";
import { sqlState } from "../store/db";

/** Conflicts between transactions are Postgres's way of saying "again"; after this many the attempt fails. */
const MAX_CONFLICTS = 10;

/** Runs a whole transaction, and again while it meets conflicts with others. */
export async function againOnConflict<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isConflict(error) || conflicts >= MAX_CONFLICTS) throw error;
      await sleep(backoffMs(conflicts) / 10);
    }
  }
}

// Serialization failure and deadlock.
const isConflict = (error: unknown) =>
  ["40001", "40P01"].includes(sqlState(error) ?? "") || (error as { code?: unknown })?.code === "P2034";
