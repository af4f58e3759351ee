/** All run statuses. Transitions: docs/lifecycle.md. */
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

/** A run with one of these statuses changes only by an operator's action. */
export const ENDED_STATUSES = ["completed", "failed", "cancelled", "compensated"] as const satisfies RunStatus[];
type EndedStatus = (typeof ENDED_STATUSES)[number];

export function hasEnded(status: RunStatus): status is EndedStatus {
  return (ENDED_STATUSES as readonly RunStatus[]).includes(status);
}

/** What a waiting run waits for; `operator` means that a person has to act. */
export const WAIT_KINDS = [
  "timer",
  "retry",
  "event",
  "child",
  "slot",
  "approval",
  "operator",
  "permit",
  "blob",
] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

/** Why a run needs attention; null in the data if it does not. */
export const ATTENTIONS = ["failed", "outcome_unknown", "compensation_owed", "approval"] as const;
export type Attention = (typeof ATTENTIONS)[number];

/** Orders of a list of runs. By end: of those that failed or were cancelled, latest first. */
export const RUN_SORTS = ["newest", "oldest", "ended"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

/** Statuses with an index by end; completed runs are not worth the cost of an index. */
export const SORTED_BY_END = ["failed", "cancelled", "compensated"] as const satisfies EndedStatus[];

/** Most starts of one call and one transaction. */
export const MAX_STARTS = 10_000;
