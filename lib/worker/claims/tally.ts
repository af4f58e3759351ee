import type { RunChange } from "../../store/workers/claim-record";

/** How a claim ended: by its last record, in compensations, or because the run has another owner now. */
export type ClaimEnd = RunChange["to"] | "compensating" | "lost";

/** What a worker has done since it began. */
export class Tally {
  claimed = 0;
  readonly ended: Record<ClaimEnd, number> = {
    completed: 0,
    failed: 0,
    cancelled: 0,
    waiting: 0,
    pending: 0,
    compensating: 0,
    lost: 0,
  };
  /** Runs of silent workers that it has freed. */
  takenOver = 0;
  /** Runs that it started for schedules. */
  fired = 0;
  /** Runs past their retention period that it deleted. */
  deleted = 0;
}
