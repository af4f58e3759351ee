import type { Claim } from "../../store/workers/claim-runs";
import type { ClaimEnd } from "./tally";

/** The pause of a worker without room, which a freed place ends; and the longest one while a lost claim may have left runs. */
export const PAUSE_MS = 10_000;
/** The longest pause between two claims. Notes and timers end it, and the duties' glances, which see all that notes may miss. */
const LONGEST_PAUSE_MS = 60_000;
/** The same while an intake is closed: glances leave its begun runs out. */
const CLOSED_PAUSE_MS = 1_500;
/**
 * A timer that is due although a claim has just found nothing is locked by another transaction: it is not polled
 * without a pause.
 */
const MIN_PAUSE_MS = 10;

/**
 * Milliseconds from a claim that left nothing to the next one.
 * @param inDoubt a claim whose answer was lost may have taken runs, which only the next claim hands back
 */
export function pauseAfter({ closed, nextDueInMs }: Pick<Claim, "closed" | "nextDueInMs">, inDoubt = false): number {
  const idle = inDoubt ? PAUSE_MS : LONGEST_PAUSE_MS;
  return Math.min(closed ? CLOSED_PAUSE_MS : idle, Math.max(MIN_PAUSE_MS, nextDueInMs ?? idle));
}

/** Ends of claims after which the run may have more to do by itself: its compensations, another attempt of one, or what was handed back. */
export const GOES_ON: ReadonlySet<ClaimEnd> = new Set(["failed", "compensating", "pending"]);
