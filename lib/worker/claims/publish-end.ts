import type { Notifier } from "../../store/database/notifier";
import type { Claim } from "./claim";
import type { ClaimEnd } from "./tally";

/** Callers may wait for the run's end. */
const AWAITED: ReadonlySet<ClaimEnd> = new Set(["completed", "failed", "cancelled", "compensating"]);

/**
 * After the commit that ended a claim: published at once when the run has ended or needs attention, else as progress.
 */
export function publishEnd(notifier: Notifier, { run, needsAttention }: Claim, end: ClaimEnd): void {
  if (AWAITED.has(end) || needsAttention) notifier.changeAtOnce([run.id]);
  else notifier.change([run.id]);
}
