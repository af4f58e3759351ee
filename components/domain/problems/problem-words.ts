import type { Look } from "@/components/parts/status/look";
import type { Problem } from "@/lib/api/contract/problems";
import type { ProblemAct, ProblemEvent, ProblemKind, ProblemStatus } from "@/lib/engine/problems/problem";
import { formatCount, plural } from "@/lib/format";

/** An open problem needs attention as long as it holds a run. */
export function lookOf({ status, openRuns }: Pick<Problem, "status" | "openRuns">): Look {
  return status === "open" && openRuns === 0 ? QUIET : STATUS_LOOKS[status];
}

const QUIET: Look = { shape: "dashes", word: "Open, no runs", tone: "quiet" };

export const STATUS_LOOKS = {
  open: { shape: "octagon", word: "Open", tone: "red" },
  muted: { shape: "slash", word: "Muted", tone: "quiet" },
  resolved: { shape: "check", word: "Resolved", tone: "green" },
} satisfies Record<ProblemStatus, Look>;

/** The state of its runs; completes "… at charge-payment". */
export const KIND_WORDS: Record<ProblemKind, string> = {
  failed: "",
  outcome_unknown: "Unknown outcome: ",
  undo_failed: "Compensation failed: ",
};

export const CAME_BACK_WORDS = {
  resolved: "Reopened after a repair",
  rerun: "Reopened after a rerun",
} satisfies Record<NonNullable<Problem["cameBack"]>["after"], string>;

export const ACT_WORDS: Record<ProblemAct, string> = {
  probe: "Probe…",
  stop_probe: "Stop probe…",
  assign: "Assign…",
  note: "Add note…",
  mute: "Mute…",
  resolve: "Resolve…",
  reopen: "Reopen…",
};

/** Completes "ada …". */
export const EVENT_WORDS: Record<ProblemEvent, string> = {
  note: "wrote",
  assign: "assigned",
  mute: "muted",
  resolve: "resolved",
  reopen: "reopened",
  came_back: "reopened",
  mute_ended: "unmuted",
};

/** What changed without a person. */
export const AUTOMATIC_WORDS: Record<ProblemEvent, string> = {
  ...EVENT_WORDS,
  resolve: "Resolved",
  came_back: "Reopened",
  mute_ended: "Unmuted",
};

/** "412 runs", "no runs". */
export const heldText = (runs: number) => (runs === 0 ? "no runs" : plural(runs, "run"));

/** Failures that a retry would not have helped. */
export function attemptsText({ kind, failures, exhausted }: Pick<Problem, "kind" | "failures" | "exhausted">): string {
  if (kind !== "failed") return "";
  if (exhausted === failures) return "after the last retry";
  if (exhausted === 0) return "without a retry";
  return `${formatCount(exhausted)} after the last retry, ${formatCount(failures - exhausted)} without a retry`;
}

export function muteText({ mutedUntil, mutedToCount, failures }: Problem): string {
  if (mutedUntil === null && mutedToCount === null) return "until it is reopened";
  const left =
    mutedToCount === null ? null : plural(Math.max(1, mutedToCount - failures), "more failure", "more failures");
  return left === null ? "until it expires" : `until ${left}${mutedUntil ? ", or until it expires" : ""}`;
}
