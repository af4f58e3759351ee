import type { Openness } from "../runs/operator-acts";
import { hasEnded, type RunStatus } from "../runs/run";

export { OPERATION_WORKFLOW } from "../workflows/own-workflows";
/** The event that resumes a paused operation's run. */
export const OPERATION_RESUMED = "handrail.operation.resumed";

/** Retention of operations and of the runs that executed them, after their end, unless HANDRAIL_KEEP_DAYS is set. */
export const OPERATIONS_KEPT_MS = 90 * 86_400_000;

/** Crash points of an item's execution: before the action, after it in its transaction, after the commit. */
export const ITEM_POINTS = ["operation:before-act", "operation:before-commit", "operation:after-commit"] as const;
export type ItemPoint = (typeof ITEM_POINTS)[number];

export const OPERATION_STATUSES = ["running", "paused", "completed", "aborted"] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/**
 * - `already`: the run was already in the target state.
 * - `not_eligible`: the action's rule no longer allows it.
 * - `changed`: the current effect differs from the plan.
 * - `failed`: the action was allowed, but could not be done.
 */
export const ITEM_OUTCOMES = ["done", "already", "not_eligible", "changed", "failed"] as const;
export type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** In a report of every item: also `left_out` by the plan, and `not_begun`, which was not or never will be reached. */
export const REPORTED_OUTCOMES = [...ITEM_OUTCOMES, "left_out", "not_begun"] as const;
export type ReportedOutcome = (typeof REPORTED_OUTCOMES)[number];

/** Current outcomes of the runs of the last executed items. */
export interface Outcomes {
  failed: number;
  /** Still pending or running. */
  open: number;
  settled: number;
  /** Since the last of them was executed. */
  sinceMs: number;
}

/** A larger failed share stops the operation. */
const MAX_FAILED_PART = 0.2;
/** With fewer settled runs, the breaker does not judge. */
const FEWEST_FOR_BREAKER = 10;
/** A canary that has not settled by then needs a person's judgement. */
const CANARY_MS = 600_000;

export type Verdict = { go: "on" } | { go: "wait" } | { go: "pause"; because: string };

/** The first items: the rest begins only when they have settled and few of them failed. */
export function judgeCanary({ failed, open, settled, sinceMs }: Outcomes): Verdict {
  const all = failed + open + settled;
  if (failed > all * MAX_FAILED_PART)
    return { go: "pause", because: `${failed} of the first ${all} failed. Look at them, then resume or abort.` };
  if (open === 0) return { go: "on" };
  if (sinceMs < CANARY_MS) return { go: "wait" };
  return {
    go: "pause",
    because: `${open} of the first ${all} have not stopped within ten minutes. Check them, then resume or abort.`,
  };
}

/** The latest items: too many failures stop the rest. Open runs do not count. */
export function judgeLatest({ failed, settled }: Outcomes): Verdict {
  const known = failed + settled;
  if (known < FEWEST_FOR_BREAKER || failed <= known * MAX_FAILED_PART) return { go: "on" };
  return { go: "pause", because: `${failed} of the latest ${known} failed. Look at them, then resume or abort.` };
}

const open: Openness = { open: true };
const closed = (because: string): Openness => ({ open: false, because });
const ended = (status: OperationStatus) => closed(`The operation has ended (${status}).`);

export type OperationAct = "pause_operation" | "resume_operation" | "abort_operation" | "change_operation_rate";

/** Why an operation that has not ended is stopped, by its run's status (null: it is gone). Null if it runs, or will. */
function stoppedBecause(run: RunStatus | null): string | null {
  if (run === null) return "Its run no longer exists. Abort it, and make a new plan for the rest.";
  if (run === "paused") return "Its run was paused. Resume that run, and it goes on where it was.";
  if (!hasEnded(run)) return null;
  const what = run === "cancelled" ? "was cancelled" : "failed";
  return `Its run ${what}. Resume the operation, and it goes on where it was; or abort it.`;
}

/** As shown to people: an operation whose own run does not go on is stopped, whatever its row says. */
export function seenAs(
  status: OperationStatus,
  run: RunStatus | null,
): { status: OperationStatus; stopped: string | null } {
  const stopped = status === "completed" || status === "aborted" ? null : stoppedBecause(run);
  return { status: stopped === null ? status : "paused", stopped };
}

/** What a person may do to an operation, given its state and its run's. */
export function mayOperate(act: OperationAct, said: OperationStatus, run: RunStatus | null): Openness {
  const { status, stopped } = seenAs(said, run);
  if (status === "completed" || status === "aborted") return ended(status);
  if (act === "pause_operation" && status === "paused") return closed("The operation is paused already.");
  if (act !== "resume_operation") return open;
  if (status === "running") return closed("The operation is not paused.");
  return stopped !== null && (run === null || run === "paused") ? closed(stopped) : open;
}
