import type { Look } from "@/components/parts/status/look";
import type { Problem } from "@/lib/api/contract/problems";
import type { ProblemAct, ProblemEvent, ProblemKind, ProblemStatus } from "@/lib/engine/problems/problem";
import { formatCount, plural } from "@/lib/format";

/** An open problem needs attention as long as it holds a run. */
export function lookOf({ status, openRuns }: Pick<Problem, "status" | "openRuns">): Look {
  return status === "open" && openRuns === 0 ? QUIET : STATUS_LOOKS[status];
}

const QUIET: Look = { shape: "dashes", word: "Open, holds none", tone: "quiet" };

export const STATUS_LOOKS = {
  open: { shape: "octagon", word: "Open", tone: "red" },
  muted: { shape: "slash", word: "Muted", tone: "quiet" },
  resolved: { shape: "check", word: "Resolved", tone: "green" },
} satisfies Record<ProblemStatus, Look>;

/** What its runs have come to; completes "… at charge-payment". */
export const KIND_WORDS: Record<ProblemKind, string> = {
  failed: "",
  outcome_unknown: "In doubt: ",
  undo_failed: "Undo failed: ",
};

export const CAME_BACK_WORDS = {
  resolved: "Came back after a repair",
  rerun: "Came back after a rerun",
} satisfies Record<NonNullable<Problem["cameBack"]>["after"], string>;

export const ACT_WORDS: Record<ProblemAct, string> = {
  assign: "Assign…",
  note: "Write a note…",
  mute: "Mute…",
  resolve: "Resolve…",
  reopen: "Reopen…",
};

export const EVENT_WORDS: Record<ProblemEvent, string> = {
  note: "wrote",
  assign: "assigned it",
  mute: "muted it",
  resolve: "resolved it",
  reopen: "reopened it",
  came_back: "It came back",
  mute_ended: "It is no longer muted",
};

/** "412 runs", "no run". */
export const heldText = (runs: number) => (runs === 0 ? "no run" : plural(runs, "run"));

/** Failures that a retry would not have helped. */
export function attemptsText({ kind, failures, exhausted }: Pick<Problem, "kind" | "failures" | "exhausted">): string {
  if (kind !== "failed") return "";
  if (exhausted === failures) return "after every attempt";
  if (exhausted === 0) return "at once, without another attempt";
  return `${formatCount(exhausted)} after every attempt, ${formatCount(failures - exhausted)} at once`;
}

export function muteText({ mutedUntil, mutedToCount, failures }: Problem): string {
  if (mutedUntil === null && mutedToCount === null) return "until somebody reopens it";
  const left =
    mutedToCount === null ? null : plural(Math.max(1, mutedToCount - failures), "more failure", "more failures");
  return left === null ? "until its time is up" : `until ${left}${mutedUntil ? ", or its time is up" : ""}`;
}
