import type { RunChange } from "../../store/workers/claim-record";

/** How a claim ended: by the record that it left, in undos, or because the run belongs to somebody else now. */
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
  /** Runs that it has started for schedules. */
  fired = 0;
  /** Runs past their time that it has deleted. */
  deleted = 0;
}
