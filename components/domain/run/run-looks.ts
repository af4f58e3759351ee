import type { Look } from "@/components/parts/status/look";
import type { RunListItem } from "@/lib/api/contract/run";
import type { Attention, RunStatus, WaitKind } from "@/lib/engine/runs/run";

export const RUN_LOOKS = {
  pending: { shape: "dashes", word: "Pending", tone: "quiet" },
  running: { shape: "spinner", word: "Running", tone: "blue" },
  waiting: { shape: "clock", word: "Waiting", tone: "violet" },
  completed: { shape: "check", word: "Completed", tone: "green" },
  failed: { shape: "octagon", word: "Failed", tone: "red" },
  cancelled: { shape: "slash", word: "Cancelled", tone: "quiet" },
  compensating: { shape: "back", word: "Compensating", tone: "amber" },
  compensated: { shape: "back-done", word: "Compensated", tone: "quiet" },
  paused: { shape: "pause", word: "Paused", tone: "quiet" },
} as const satisfies Record<RunStatus, Look>;

/** A waiting run says what for. */
export const WAIT_LOOKS = {
  timer: { shape: "clock", word: "Sleeping", tone: "violet" },
  retry: { shape: "loop", word: "Retrying", tone: "amber" },
  event: { shape: "clock", word: "Waiting for an event", tone: "violet" },
  child: { shape: "clock", word: "Waiting for a child", tone: "violet" },
  slot: { shape: "dashes", word: "Waiting for a slot", tone: "quiet" },
  permit: { shape: "dashes", word: "Waiting for a permit", tone: "quiet" },
  blob: { shape: "loop", word: "Waiting for the blob store", tone: "amber" },
  approval: { shape: "person", word: "Approval", tone: "amber" },
  operator: { shape: "person", word: "Needs attention", tone: "red" },
} as const satisfies Record<WaitKind, Look>;

/** Why it needs attention. */
export const ATTENTION_LOOKS = {
  failed: { shape: "octagon", word: "Failed", tone: "red" },
  outcome_unknown: { shape: "question", word: "Outcome unknown", tone: "red" },
  compensation_owed: { shape: "back-open", word: "Needs compensation", tone: "red" },
  approval: { shape: "person", word: "Approval", tone: "amber" },
} as const satisfies Record<Attention, Look>;

/** The most telling of status, wait and attention. */
export function lookOfRun(run: Pick<RunListItem, "status" | "waitingFor" | "attention">): Look {
  if (run.attention !== null) return ATTENTION_LOOKS[run.attention];
  if (run.status === "waiting" && run.waitingFor) return WAIT_LOOKS[run.waitingFor.kind];
  return RUN_LOOKS[run.status];
}
