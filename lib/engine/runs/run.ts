/** Every state a run can be in. Who moves it where: docs/lifecycle.md. */
export const RUN_STATUSES = [
  "pending",
  "running",
  "waiting",
  "completed",
  "failed",
  "cancelled",
  "compensating",
  "compensated",
  "paused",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A run in one of these changes only by an operator's act. */
export const ENDED_STATUSES = ["completed", "failed", "cancelled", "compensated"] as const satisfies RunStatus[];
type EndedStatus = (typeof ENDED_STATUSES)[number];

export function hasEnded(status: RunStatus): status is EndedStatus {
  return (ENDED_STATUSES as readonly RunStatus[]).includes(status);
}

/** What a waiting run waits for; `operator` means a person has to act. */
export const WAIT_KINDS = ["timer", "retry", "event", "child", "slot", "approval", "operator"] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

/** Why a run needs a person; null in the data where it needs none. */
export const ATTENTIONS = ["failed", "outcome_unknown", "compensation_owed", "approval"] as const;
export type Attention = (typeof ATTENTIONS)[number];

/** Orders of a list of runs. By its end: of those that ended badly, latest first. */
export const RUN_SORTS = ["newest", "oldest", "ended"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

/** Their ends are kept in order; a completed run is not worth an index of its own. */
export const SORTED_BY_END = ["failed", "cancelled", "compensated"] as const satisfies EndedStatus[];

/** One call and one transaction start no more. */
export const MAX_STARTS = 10_000;
