import type { Openness } from "../runs/operator-acts";
import { hasEnded, type RunStatus } from "../runs/run";

export { OPERATION_WORKFLOW } from "./operation-name";
/** Tells a paused operation's run to go on. */
export const OPERATION_RESUMED = "handrail.operation.resumed";

/** Operations are kept for so long after their end, and the runs that carried them out, unless HANDRAIL_KEEP_DAYS says otherwise. */
export const OPERATIONS_KEPT_MS = 90 * 86_400_000;

/** Where whoever carries out an item may die, in this order: before the act, after it in its transaction, after the commit. */
export const ITEM_POINTS = ["operation:before-act", "operation:before-commit", "operation:after-commit"] as const;
export type ItemPoint = (typeof ITEM_POINTS)[number];

export const OPERATION_STATUSES = ["running", "paused", "completed", "aborted"] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/**
 * - `already`: somebody else had brought the run there.
 * - `not_eligible`: the act's rule is closed by now.
 * - `changed`: what the plan said of the run is not what would happen now.
 * - `failed`: the act was open, and could not be done.
 */
export const ITEM_OUTCOMES = ["done", "already", "not_eligible", "changed", "failed"] as const;
export type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** In a report of every item: also `left_out` by the plan, and `not_begun`, which the operation has not come to, or never will. */
export const REPORTED_OUTCOMES = [...ITEM_OUTCOMES, "left_out", "not_begun"] as const;
export type ReportedOutcome = (typeof REPORTED_OUTCOMES)[number];

/** What became of the runs of the last items that were carried out. */
export interface Outcomes {
  failed: number;
  /** Still pending or running. */
  open: number;
  settled: number;
  /** Since the last of them was carried out. */
  sinceMs: number;
}

/** More than this part failing is too many. */
const MAX_FAILED_PART = 0.2;
/** Below so many settled runs, the breaker knows nothing. */
const FEWEST_FOR_BREAKER = 10;
/** A canary that has not come to rest by then is for a person to judge. */
const CANARY_MS = 600_000;

export type Verdict = { go: "on" } | { go: "wait" } | { go: "pause"; because: string };

/** Of the first items: the rest begins only when they have come to rest and few of them failed. */
export function judgeCanary({ failed, open, settled, sinceMs }: Outcomes): Verdict {
  const all = failed + open + settled;
  if (failed > all * MAX_FAILED_PART)
    return { go: "pause", because: `${failed} of the first ${all} failed. Look at them, then resume or abort.` };
  if (open === 0) return { go: "on" };
  if (sinceMs < CANARY_MS) return { go: "wait" };
  return {
    go: "pause",
    because: `${open} of the first ${all} have not come to rest in ten minutes. Look at them, then resume or abort.`,
  };
}

/** Of the latest items: too many failures stop the rest. Those that are still worked on say nothing. */
export function judgeLatest({ failed, settled }: Outcomes): Verdict {
  const known = failed + settled;
  if (known < FEWEST_FOR_BREAKER || failed <= known * MAX_FAILED_PART) return { go: "on" };
  return { go: "pause", because: `${failed} of the latest ${known} failed. Look at them, then resume or abort.` };
}

const open: Openness = { open: true };
const closed = (because: string): Openness => ({ open: false, because });
const ended = (status: OperationStatus) => closed(`The operation has ended (${status}).`);

export type OperationAct = "pause_operation" | "resume_operation" | "abort_operation" | "change_operation_rate";

/** Why nobody carries an operation out that has not ended, by its own run: null when that is gone. Null when somebody does, or will. */
function stoppedBecause(run: RunStatus | null): string | null {
  if (run === null) return "Its run is not there any more. Abort it, and plan again for what is left.";
  if (run === "paused") return "Its run was paused. Resume that run, and it goes on where it was.";
  if (!hasEnded(run)) return null;
  const what = run === "cancelled" ? "was cancelled" : "failed";
  return `Its run ${what}. Resume the operation, and it goes on where it was; or abort it.`;
}

/** As people see it: one whose own run does not go on stands still, whatever its row says. */
export function seenAs(
  status: OperationStatus,
  run: RunStatus | null,
): { status: OperationStatus; stopped: string | null } {
  const stopped = status === "completed" || status === "aborted" ? null : stoppedBecause(run);
  return { status: stopped === null ? status : "paused", stopped };
}

/** What a person may do to an operation, by what it says of itself and where its run stands. */
export function mayOperate(act: OperationAct, said: OperationStatus, run: RunStatus | null): Openness {
  const { status, stopped } = seenAs(said, run);
  if (status === "completed" || status === "aborted") return ended(status);
  if (act === "pause_operation" && status === "paused") return closed("The operation is paused already.");
  if (act !== "resume_operation") return open;
  if (status === "running") return closed("The operation is not paused.");
  return stopped !== null && (run === null || run === "paused") ? closed(stopped) : open;
}
