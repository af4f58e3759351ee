/** Why a pass is to stop before its workflow's code has ended. */
export type StopReason = "cancelled" | "released" | "timed_out" | "expired" | "drifted" | "locked" | "lost";

/**
 * An aborted body gets this long to end by itself, and that outcome is recorded. A shutdown cannot wait; after a cancel
 * or the run's deadline, an answer in flight is worth waiting for.
 */
export const ABORT_GRACE_MS: Record<StopReason, number> = {
  released: 1_000,
  cancelled: 30_000,
  timed_out: 30_000,
  expired: 0,
  drifted: 30_000,
  locked: 1_000,
  lost: 0,
};

export const ABORTED_BECAUSE: Record<StopReason, string> = {
  cancelled: "An operator cancelled the run.",
  released: "The worker is shutting down.",
  timed_out: "The deadline of the run has passed.",
  expired: "The run was to begin earlier.",
  drifted: "The workflow's code has drifted from what the run has done.",
  locked: "The worker does not have the key of one of the run's payloads.",
  lost: "The run belongs to another worker now.",
};
