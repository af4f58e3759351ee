import type { Claim } from "../../store/workers/claim-runs";
import type { ClaimEnd } from "./tally";

/** The pause of a worker without room. A freed place ends it. */
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

/** Milliseconds from a claim that left nothing to the next one. */
export const pauseAfter = ({ closed, nextDueInMs }: Pick<Claim, "closed" | "nextDueInMs">): number =>
  Math.min(closed ? CLOSED_PAUSE_MS : LONGEST_PAUSE_MS, Math.max(MIN_PAUSE_MS, nextDueInMs ?? LONGEST_PAUSE_MS));

/** Ends of claims after which the run may have more to do by itself: its compensations, another attempt of one, or what was handed back. */
export const GOES_ON: ReadonlySet<ClaimEnd> = new Set(["failed", "compensating", "pending"]);
