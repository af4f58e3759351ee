import { isPayloadLocked } from "../../engine/privacy/sealed";
import { openedRun } from "../../store/payloads";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { Claim } from "../claims/claim";
import type { WriteBuffer } from "../records/write-buffer";
import { isKept } from "../steps/kept-step";
import { Rest } from "./rest";

/**
 * One pass over the code of one claimed run: the code runs from its top, recorded outcomes return at once, and the first
 * steps without an outcome are executed.
 */
export interface Pass {
  /** Writes, retries and owns. */
  readonly claim: Claim;
  /** Works, waits, stops and ends. */
  readonly rest: Rest;
  /** Why the run cannot be decrypted here: what it needs of a pass is left to others. */
  readonly locked: Error | undefined;
}

/** @param checkLease gives the lease up when it may have expired */
export function passOf(claimed: ClaimedRun, workerId: number, buffer: WriteBuffer, checkLease: () => void): Pass {
  const { run, locked } = openIfPossible(claimed);
  const rest = new Rest(run.steps.filter(isKept).length);
  return { claim: new Claim(run, workerId, rest, buffer, checkLease), rest, locked };
}

function openIfPossible(run: ClaimedRun): { run: ClaimedRun; locked: Error | undefined } {
  try {
    return { run: openedRun(run), locked: undefined };
  } catch (error) {
    if (!isPayloadLocked(error)) throw error;
    return { run, locked: error };
  }
}
