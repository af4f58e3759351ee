import type { PlanFacts, PlanItem } from "../operations/plan";
import { closed, type Openness, open } from "../runs/operator-acts";
import { hasEnded, type RunStatus } from "../runs/run";

export { PROBE_WORKFLOW } from "../workflows/own-workflows";
/** The event that wakes a probe's run when a person stops the probe. */
export const PROBE_STOPPED = "handrail.probe.stopped";

/** Crash points of a probe's turn: with its changes made, and after their commit. */
export const PROBE_POINTS = ["probe:before-commit", "probe:after-commit"] as const;
export type ProbePoint = (typeof PROBE_POINTS)[number];

/** Runs that one probe reruns at most, unless its operator says otherwise. */
export const DEFAULT_TRIES = 8;
export const MOST_TRIES = 20;

export const PROBE_STATUSES = ["running", "through", "failed", "stopped"] as const;
/**
 * - `through`: a run got through the failing step.
 * - `failed`: every rerun failed again in the same way.
 * - `stopped`: by a person, or because going on needs a decision.
 */
export type ProbeStatus = (typeof PROBE_STATUSES)[number];

export const TRY_OUTCOMES = ["through", "failed", "otherwise", "unknown", "interrupted", "undecided"] as const;
/**
 * - `failed`: again, with the same problem; `otherwise`: with another one.
 * - `unknown`: a step of the run has an unknown outcome.
 * - `interrupted`: the run was cancelled, paused, compensated or deleted.
 * - `undecided`: the run was still under way after UNDECIDED_MS.
 */
export type TryOutcome = (typeof TRY_OUTCOMES)[number];

/** A rerun that has not got through or failed by then needs a person's judgement. */
export const UNDECIDED_MS = 1_800_000;
const MINUTE_MS = 60_000;
const LONGEST_PAUSE_MS = 16 * MINUTE_MS;

/** After the given number of reruns: 1, 2, 4, 8 minutes, then 16 each time. */
export const pauseAfter = (tries: number): number => Math.min(2 ** (tries - 1) * MINUTE_MS, LONGEST_PAUSE_MS);

/** When a rerun that is under way is judged again: soon at first, then every half a minute. */
export const judgeAgainIn = (sinceMs: number): number => Math.min(Math.max(1_000, sinceMs / 2), 30_000);

/** Whether this run may be rerun to see if its problem persists: nothing about that is for a person to decide. */
export function mayProbe({ status, steps }: PlanFacts, rerun: PlanItem): Openness {
  if (!rerun.included) return closed(rerun.because ?? "The run cannot be rerun.");
  if (status !== "failed") return closed("The run has not failed.");
  if (steps.some((step) => step.status === "unknown"))
    return closed("A step has an unknown outcome. Resolve it first: a rerun could repeat its effect.");
  if (rerun.secondPerson !== null) return closed("A rerun of this run requires a second person. Plan it instead.");
  if (rerun.questions.count > 0) return closed("A rerun would ask people a question again. Plan it instead.");
  return open;
}

/** A rerun run as it is now. */
export interface TriedRun {
  /** Null: it no longer exists. */
  status: RunStatus | null;
  hasUnknown: boolean;
  /** The step that had failed has an outcome from after the rerun. */
  gotThrough: boolean;
  /** The problem that it has since the rerun; undefined while its failure is not counted yet, or it has not failed. */
  problemId: string | undefined;
  /** Since the rerun. */
  sinceMs: number;
}

export interface TryVerdict {
  outcome: TryOutcome;
  /** Why the probe stops; null: it got through, or the next rerun may follow. */
  because: string | null;
}

/** Null while the rerun is under way. */
export function judgeTry(run: TriedRun, ofProblem: string): TryVerdict | null {
  const { status, hasUnknown, gotThrough, problemId, sinceMs } = run;
  if (status === null) return { outcome: "interrupted", because: "The probed run no longer exists." };
  if (hasUnknown)
    return {
      outcome: "unknown",
      because: "The probed run has a step of unknown outcome. Resolve it, then probe again.",
    };
  if (gotThrough || status === "completed") return { outcome: "through", because: null };
  if (problemId === ofProblem) return { outcome: "failed", because: null };
  if (problemId !== undefined) return { outcome: "otherwise", because: "The probed run failed with another problem." };
  if (status === "paused" || status === "compensating" || (hasEnded(status) && status !== "failed"))
    return { outcome: "interrupted", because: `The probed run is ${status}. Probe again to try another run.` };
  if (sinceMs > UNDECIDED_MS)
    return { outcome: "undecided", because: "The probed run was still under way after 30 minutes. Check it first." };
  return null;
}
