import { isPayloadLocked } from "../../engine/privacy/sealed";
import { openedRun } from "../../store/payloads";
import type { ClaimedRun } from "../../store/workers/claim-runs";

/** As it was claimed when it cannot be decrypted: what it needs of a pass is left to others. */
export function openIfPossible(run: ClaimedRun): { run: ClaimedRun; locked?: Error } {
  try {
    return { run: openedRun(run) };
  } catch (error) {
    if (!isPayloadLocked(error)) throw error;
    return { run, locked: error };
  }
}
