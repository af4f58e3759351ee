import type { Look } from "@/components/parts/status/look";
import type { Problem, ProblemDetail } from "@/lib/api/contract/problems";
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
  watch: "Watch",
  unwatch: "Stop watching",
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
  probe_through: "saw a probe come through",
  probe_ended: "ended a probe",
};

/** What changed without a person. */
export const AUTOMATIC_WORDS: Record<ProblemEvent, string> = {
  ...EVENT_WORDS,
  resolve: "Resolved",
  came_back: "Reopened",
  mute_ended: "Unmuted",
  probe_through: "A probe came through",
  probe_ended: "A probe ended",
};

/** An entry of the history: "ada assigned", "Reopened". */
export const eventText = ({ what, by }: { what: ProblemEvent; by: string | null }) =>
  by === null ? AUTOMATIC_WORDS[what] : `${by} ${EVENT_WORDS[what]}`;

/** "You watch it, with ada and bo". */
export function watchersText(watchers: ProblemDetail["watchers"]): string {
  const names = watchers.filter(({ you }) => !you).map(({ name }) => name);
  const others = [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
  if (names.length === watchers.length) return others || "nobody";
  return others ? `You watch it, with ${others}` : "You watch it";
}

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
