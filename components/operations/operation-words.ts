import type { Operation, OperationItemListResponse } from "@/lib/api/contract/operations";
import type { PlannedActName } from "@/lib/engine/planned-act";
import type { Look } from "../status/look";

export const ACT_WORDS = {
  rerun: "Rerun",
  cancel: "Cancel",
  pause: "Pause",
  resume: "Resume",
} satisfies Record<PlannedActName, string>;

/** What choosing it means. */
export const ACT_NOTES = {
  rerun: "From the step that failed, in the same run: earlier results and keys are kept.",
  cancel: "They end without finishing. What they did stays done.",
  pause: "What is in flight finishes; nothing after it begins.",
  resume: "Paused runs go on where they were.",
} satisfies Record<PlannedActName, string>;

export const OPERATION_LOOKS = {
  running: { shape: "spinner", word: "Running", tone: "blue" },
  paused: { shape: "pause", word: "Paused", tone: "red" },
  completed: { shape: "check", word: "Completed", tone: "green" },
  aborted: { shape: "slash", word: "Aborted", tone: "quiet" },
} as const satisfies Record<Operation["status"], Look>;

export const OUTCOME_LOOKS = {
  done: { shape: "check", word: "Done", tone: "green" },
  already: { shape: "skip", word: "Already", tone: "quiet" },
  not_eligible: { shape: "slash", word: "Not eligible", tone: "amber" },
  changed: { shape: "question", word: "Changed since", tone: "amber" },
  failed: { shape: "octagon", word: "Failed", tone: "red" },
} as const satisfies Record<OperationItemListResponse["items"][number]["outcome"], Look>;

/** How far it has come: items with an outcome, whichever. */
export function progressOf({ counts }: Pick<Operation, "counts">) {
  const { total, done, already, notEligible, changed, failed } = counts;
  return { done: done + already + notEligible + changed + failed, total, note: "runs", at: "" };
}
