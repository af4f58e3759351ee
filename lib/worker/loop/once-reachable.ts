import type { Logger } from "../../log";
import { backoffMs, sleep } from "../../store/database/backoff";
import { isTrouble } from "../../store/database/trouble";

/**
 * Tries again while the database cannot be reached: in a failover, the growing pauses of what starts processes again
 * would outlast it.
 */
export async function onceReachable(start: () => Promise<void>, log: Logger): Promise<void> {
  for (let failures = 0; ; failures++) {
    try {
      return await start();
    } catch (error) {
      if (!isTrouble(error)) throw error;
      if (failures === 0) log.warn({ err: error }, "the database cannot be reached: trying again until it can");
      await sleep(backoffMs(failures));
    }
  }
}
